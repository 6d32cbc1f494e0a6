-- SQLite cannot change a CHECK, so the table is copied. No other table refers to it.
CREATE TABLE new_registrations (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  jurisdiction_id TEXT,
  scheme TEXT,
  registration_number TEXT,
  valid_from TEXT NOT NULL,
  valid_to TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  filing_frequency TEXT,
  CONSTRAINT scheme CHECK (scheme IN ('oss_union', 'oss_non_union', 'ioss', 'ca_simplified', 'qc_specified', 'tx_single_local', 'al_ssut', 'no_voec', 'sg_ovr', 'kr_simplified', 'in_oidar', 'co_retail_delivery_fee', 'mn_retail_delivery_fee')),
  CONSTRAINT filing_frequency CHECK (filing_frequency IN ('monthly', 'two_monthly', 'quarterly', 'six_monthly', 'annual')),
  CONSTRAINT jurisdiction_or_scheme CHECK ((jurisdiction_id IS NULL) <> (scheme IS NULL))
) STRICT;
INSERT INTO new_registrations SELECT id, account_id, jurisdiction_id, scheme, registration_number, valid_from,
  valid_to, created_at, updated_at, filing_frequency FROM registrations;
DROP TABLE registrations;
ALTER TABLE new_registrations RENAME TO registrations;
CREATE INDEX registrations_of_account ON registrations (account_id, id);
