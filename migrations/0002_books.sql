CREATE TABLE customers (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  external_id TEXT,
  email TEXT,
  name TEXT,
  country TEXT,
  region TEXT,
  city TEXT,
  postal_code TEXT,
  line1 TEXT,
  line2 TEXT,
  vat_id TEXT,
  vat_id_validated INTEGER NOT NULL DEFAULT 0 CHECK (vat_id_validated IN (0, 1)),
  vat_id_validated_at TEXT,
  vat_id_company_name TEXT,
  metadata TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX customers_by_external_id ON customers (account_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX customers_of_account ON customers (account_id, id);
CREATE INDEX customers_by_email ON customers (account_id, email, id);

CREATE TABLE exemptions (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  customer_id TEXT NOT NULL REFERENCES customers (id),
  jurisdiction_id TEXT NOT NULL,
  exemption_type TEXT NOT NULL CHECK (exemption_type IN ('resale', 'nonprofit', 'government', 'other')),
  certificate_number TEXT NOT NULL,
  certificate_url TEXT,
  valid_from TEXT NOT NULL,
  valid_to TEXT,
  status TEXT NOT NULL CHECK (status IN ('pending', 'verified', 'rejected', 'expired')),
  verification_notes TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
-- The customer first: whoever erases one has the database look for rows that refer to it, whatever their account.
CREATE INDEX exemptions_of_customer ON exemptions (customer_id, account_id, id);
CREATE INDEX exemptions_to_expire ON exemptions (valid_to) WHERE status = 'verified';

CREATE TABLE transactions (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  external_id TEXT,
  customer_id TEXT,
  customer_country TEXT NOT NULL,
  customer_region TEXT,
  customer_postal_code TEXT,
  customer_vat_id TEXT,
  currency TEXT NOT NULL,
  subtotal INTEGER NOT NULL,
  tax_amount INTEGER NOT NULL,
  total INTEGER NOT NULL,
  tax_rate INTEGER NOT NULL,
  tax_source TEXT NOT NULL CHECK (tax_source IN ('calculated', 'given')),
  tax_variance INTEGER,
  jurisdiction_id TEXT NOT NULL,
  seller_registered INTEGER NOT NULL CHECK (seller_registered IN (0, 1)),
  reverse_charge INTEGER NOT NULL CHECK (reverse_charge IN (0, 1)),
  status TEXT NOT NULL CHECK (status IN ('pending', 'completed', 'refunded', 'voided')),
  amount_refunded INTEGER NOT NULL DEFAULT 0,
  tax_refunded INTEGER NOT NULL DEFAULT 0,
  data_version TEXT,
  transaction_date TEXT NOT NULL,
  completed_at TEXT,
  voided_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  CHECK (amount_refunded BETWEEN 0 AND max(total, 0))
) STRICT;
CREATE UNIQUE INDEX transactions_by_external_id ON transactions (account_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX transactions_by_date ON transactions (account_id, transaction_date, id);
CREATE INDEX transactions_by_jurisdiction ON transactions (account_id, jurisdiction_id, transaction_date, id);
CREATE INDEX transactions_by_status ON transactions (account_id, status, transaction_date, id);

CREATE TABLE transaction_lines (
  transaction_id TEXT NOT NULL REFERENCES transactions (id),
  position INTEGER NOT NULL,
  id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  amount INTEGER NOT NULL,
  quantity INTEGER NOT NULL,
  product_type TEXT NOT NULL,
  description TEXT,
  taxable INTEGER NOT NULL CHECK (taxable IN (0, 1)),
  net_amount INTEGER NOT NULL,
  taxable_amount INTEGER NOT NULL,
  -- What would be taxable, were the seller registered: thresholds of taxable sales count it.
  uncollected_amount INTEGER NOT NULL,
  tax_rate INTEGER NOT NULL,
  tax_amount INTEGER NOT NULL,
  -- The part of tax_amount that a province levies beside the federal tax.
  provincial_tax_amount INTEGER NOT NULL,
  taxability_reason TEXT,
  reason_detail TEXT,
  place_of_supply TEXT NOT NULL,
  scheme TEXT NOT NULL CHECK (scheme IN ('', 'oss_union', 'oss_non_union', 'ioss', 'below_eu_threshold')),
  tax_breakdown TEXT NOT NULL,
  -- 1 on the first line of its product type in the transaction, so that totals can count transactions by product type.
  opens_product INTEGER NOT NULL CHECK (opens_product IN (0, 1)),
  PRIMARY KEY (transaction_id, position)
) STRICT;

CREATE TABLE refunds (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  transaction_id TEXT NOT NULL REFERENCES transactions (id),
  amount INTEGER NOT NULL CHECK (amount > 0),
  tax_amount INTEGER NOT NULL,
  reason TEXT NOT NULL,
  -- JSON: what the refund takes back of each group of lines, in the columns of tax_totals.
  parts TEXT NOT NULL,
  refunded_at TEXT NOT NULL
) STRICT;
CREATE INDEX refunds_of_transaction ON refunds (account_id, transaction_id, id);
CREATE INDEX refunds_by_date ON refunds (account_id, refunded_at, id);

-- Sums of completed sales and of refunds, kept in the batch of each write. A day and its month have a row each, so that a year costs months, not days.
CREATE TABLE tax_totals (
  account_id TEXT NOT NULL,
  span TEXT NOT NULL CHECK (span IN ('day', 'month')),
  -- YYYY-MM-DD or YYYY-MM: of the sale's date for sales, of the refund for refunds.
  period TEXT NOT NULL,
  -- YYYY-MM of the sale, also on what a refund takes back: corrections of earlier periods are declared apart.
  sold_in TEXT NOT NULL,
  jurisdiction_id TEXT NOT NULL,
  place_of_supply TEXT NOT NULL,
  scheme TEXT NOT NULL,
  currency TEXT NOT NULL,
  product_type TEXT NOT NULL,
  tax_rate INTEGER NOT NULL,
  reason TEXT NOT NULL,
  transactions INTEGER NOT NULL DEFAULT 0,
  product_transactions INTEGER NOT NULL DEFAULT 0,
  net_amount INTEGER NOT NULL DEFAULT 0 CHECK (abs(net_amount) <= 9007199254740991),
  taxable_amount INTEGER NOT NULL DEFAULT 0 CHECK (abs(taxable_amount) <= 9007199254740991),
  uncollected_amount INTEGER NOT NULL DEFAULT 0,
  tax_amount INTEGER NOT NULL DEFAULT 0 CHECK (abs(tax_amount) <= 9007199254740991),
  provincial_tax_amount INTEGER NOT NULL DEFAULT 0,
  refunds INTEGER NOT NULL DEFAULT 0,
  product_refunds INTEGER NOT NULL DEFAULT 0,
  refunded_net_amount INTEGER NOT NULL DEFAULT 0 CHECK (abs(refunded_net_amount) <= 9007199254740991),
  refunded_taxable_amount INTEGER NOT NULL DEFAULT 0,
  refunded_tax_amount INTEGER NOT NULL DEFAULT 0,
  refunded_provincial_tax_amount INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, span, period, sold_in, jurisdiction_id, place_of_supply, scheme, currency, product_type, tax_rate, reason)
) STRICT;
CREATE INDEX tax_totals_of_jurisdiction ON tax_totals (account_id, jurisdiction_id, span, period);

-- How many transactions a list holds, without counting them.
CREATE TABLE transaction_counts (
  account_id TEXT NOT NULL,
  span TEXT NOT NULL CHECK (span IN ('day', 'month')),
  period TEXT NOT NULL,
  jurisdiction_id TEXT NOT NULL,
  status TEXT NOT NULL,
  transactions INTEGER NOT NULL,
  PRIMARY KEY (account_id, span, period, jurisdiction_id, status)
) STRICT;
