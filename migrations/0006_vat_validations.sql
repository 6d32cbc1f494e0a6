-- What an authority said of a customer's VAT id, as proof; and what is still to be asked, since it did not answer.
CREATE TABLE vat_validations (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  customer_id TEXT NOT NULL REFERENCES customers (id),
  vat_id TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'valid', 'invalid', 'given_up')),
  attempts INTEGER NOT NULL DEFAULT 0,
  -- While pending: the moment of the next attempt.
  next_attempt_at TEXT,
  -- The authority's own word for why it did not answer.
  reason TEXT,
  source TEXT,
  consultation_number TEXT,
  checked_at TEXT,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX vat_validations_of_customer ON vat_validations (customer_id, account_id, id);
CREATE UNIQUE INDEX vat_validations_waiting ON vat_validations (customer_id) WHERE status = 'pending';
CREATE INDEX vat_validations_due ON vat_validations (next_attempt_at) WHERE status = 'pending';
