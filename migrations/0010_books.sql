-- The days of reports follow the time zone of the account. Days recorded before are days in UTC, as they were.
ALTER TABLE accounts ADD COLUMN time_zone TEXT NOT NULL DEFAULT 'UTC';
ALTER TABLE accounts ADD COLUMN uk_stagger INTEGER NOT NULL DEFAULT 1;
ALTER TABLE accounts ADD COLUMN fiscal_year_start INTEGER NOT NULL DEFAULT 1;
CREATE TABLE day_changes (
  account_id TEXT PRIMARY KEY NOT NULL,
  time_zone TEXT NOT NULL,
  requested_at TEXT NOT NULL,
  after TEXT NOT NULL
) STRICT;
ALTER TABLE transactions ADD COLUMN day TEXT NOT NULL DEFAULT '';
-- The day of the sale that a credit note corrects.
ALTER TABLE transactions ADD COLUMN credited_day TEXT;
-- JSON of what the request said beside the tax: invoice number, metadata, payments and so on.
ALTER TABLE transactions ADD COLUMN facts TEXT NOT NULL DEFAULT '{}';
UPDATE transactions SET day = substr(transaction_date, 1, 10);

-- The type of the certificate that covers the line, whether or not it is what frees it.
ALTER TABLE transaction_lines ADD COLUMN exemption TEXT NOT NULL DEFAULT '';
-- JSON of the parts of a line that bears several rates of one tax; null: the line is one part.
ALTER TABLE transaction_lines ADD COLUMN portions TEXT;

ALTER TABLE refunds ADD COLUMN day TEXT NOT NULL DEFAULT '';
ALTER TABLE refunds ADD COLUMN recorded_at TEXT NOT NULL DEFAULT '';
-- 1: of lines that the request named, 0: pro rata of all lines.
ALTER TABLE refunds ADD COLUMN by_line INTEGER NOT NULL DEFAULT 0 CHECK (by_line IN (0, 1));
ALTER TABLE refunds ADD COLUMN external_id TEXT;
ALTER TABLE refunds ADD COLUMN credit_note_number TEXT;
UPDATE refunds SET day = substr(refunded_at, 1, 10), recorded_at = refunded_at;
CREATE UNIQUE INDEX refunds_by_external_id ON refunds (account_id, external_id) WHERE external_id IS NOT NULL;

-- The totals have a new column in their key. Nothing refers to them, so the table is copied.
ALTER TABLE tax_totals RENAME TO old_tax_totals;
DROP INDEX tax_totals_of_jurisdiction;
CREATE TABLE tax_totals (
  account_id text NOT NULL,
  span text NOT NULL,
  period text NOT NULL,
  sold_in text NOT NULL,
  jurisdiction_id text NOT NULL,
  place_of_supply text NOT NULL,
  scheme text NOT NULL,
  currency text NOT NULL,
  product_type text NOT NULL,
  tax_rate integer NOT NULL,
  reason text NOT NULL,
  exported_to text DEFAULT '' NOT NULL,
  exemption text DEFAULT '' NOT NULL,
  transactions integer DEFAULT 0 NOT NULL,
  product_transactions integer DEFAULT 0 NOT NULL,
  net_amount integer DEFAULT 0 NOT NULL,
  taxable_amount integer DEFAULT 0 NOT NULL,
  uncollected_amount integer DEFAULT 0 NOT NULL,
  tax_amount integer DEFAULT 0 NOT NULL,
  provincial_tax_amount integer DEFAULT 0 NOT NULL,
  refunds integer DEFAULT 0 NOT NULL,
  product_refunds integer DEFAULT 0 NOT NULL,
  refunded_net_amount integer DEFAULT 0 NOT NULL,
  refunded_taxable_amount integer DEFAULT 0 NOT NULL,
  refunded_tax_amount integer DEFAULT 0 NOT NULL,
  refunded_provincial_tax_amount integer DEFAULT 0 NOT NULL,
  PRIMARY KEY(account_id, span, period, sold_in, jurisdiction_id, place_of_supply, scheme, currency, product_type, tax_rate, reason, exported_to, exemption),
  CHECK (span IN ('day', 'month')),
  CHECK (abs(net_amount) <= 9007199254740991),
  CHECK (abs(taxable_amount) <= 9007199254740991),
  CHECK (abs(tax_amount) <= 9007199254740991),
  CHECK (abs(refunded_net_amount) <= 9007199254740991)
) STRICT;
INSERT INTO tax_totals (
  account_id, span, period, sold_in, jurisdiction_id, place_of_supply, scheme, currency, product_type,
  tax_rate, reason, exported_to, transactions, product_transactions, net_amount, taxable_amount,
  uncollected_amount, tax_amount, provincial_tax_amount, refunds, product_refunds, refunded_net_amount,
  refunded_taxable_amount, refunded_tax_amount, refunded_provincial_tax_amount
)
SELECT
  account_id, span, period, sold_in, jurisdiction_id, place_of_supply, scheme, currency, product_type,
  tax_rate, reason, exported_to, transactions, product_transactions, net_amount, taxable_amount,
  uncollected_amount, tax_amount, provincial_tax_amount, refunds, product_refunds, refunded_net_amount,
  refunded_taxable_amount, refunded_tax_amount, refunded_provincial_tax_amount
FROM old_tax_totals;
DROP TABLE old_tax_totals;
CREATE INDEX tax_totals_of_jurisdiction ON tax_totals (account_id, jurisdiction_id, span, period);
