-- Where goods were exported to: the thresholds there count them, though the sale is one of the jurisdiction that they leave. '' for all other sales.
ALTER TABLE transactions ADD COLUMN exported_to TEXT NOT NULL DEFAULT '';

-- What was recorded before is told from the address alone: the engine's word for an export on a line, and a customer elsewhere.
UPDATE transactions SET exported_to = customer_country || coalesce(nullif('-' || customer_region, '-'), '')
WHERE jurisdiction_id <> customer_country AND jurisdiction_id NOT LIKE customer_country || '-%'
  AND EXISTS (SELECT 1 FROM transaction_lines line WHERE line.transaction_id = transactions.id AND taxability_reason = 'export');

-- The totals have a new column in their key, and so are made anew. Nothing refers to them.
DROP TABLE tax_totals;
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
  exported_to TEXT NOT NULL DEFAULT '',
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
  PRIMARY KEY (account_id, span, period, sold_in, jurisdiction_id, place_of_supply, scheme, currency, product_type, tax_rate, reason, exported_to)
) STRICT;
CREATE INDEX tax_totals_of_jurisdiction ON tax_totals (account_id, jurisdiction_id, span, period);

WITH parts AS (
  SELECT sale.account_id, transaction_date AS at, substr(transaction_date, 1, 7) AS sold_in, jurisdiction_id, place_of_supply, scheme, currency,
    product_type, line.tax_rate AS tax_rate, coalesce(taxability_reason, '') AS reason, exported_to, position = 0 AS transactions,
    opens_product AS product_transactions, net_amount, taxable_amount, uncollected_amount, line.tax_amount AS tax_amount, provincial_tax_amount,
    0 AS refunds, 0 AS product_refunds, 0 AS refunded_net_amount, 0 AS refunded_taxable_amount, 0 AS refunded_tax_amount,
    0 AS refunded_provincial_tax_amount
  FROM transactions sale JOIN transaction_lines line ON line.transaction_id = sale.id
  WHERE sale.status IN ('completed', 'refunded')
  UNION ALL
  SELECT refund.account_id, refunded_at, substr(transaction_date, 1, 7), jurisdiction_id, value ->> 'place_of_supply', value ->> 'scheme', currency,
    value ->> 'product_type', value ->> 'tax_rate', value ->> 'reason', exported_to, 0, 0, 0, 0, 0, 0, 0, part.key = 0, value ->> 'opens_product',
    value ->> 'net_amount', value ->> 'taxable_amount', value ->> 'tax_amount', value ->> 'provincial_tax_amount'
  FROM refunds refund JOIN transactions sale ON sale.id = refund.transaction_id, json_each(refund.parts) part)
INSERT INTO tax_totals
SELECT account_id, span, substr(at, 1, length), sold_in, jurisdiction_id, place_of_supply, scheme, currency, product_type, tax_rate, reason,
  exported_to, sum(transactions), sum(product_transactions), sum(net_amount), sum(taxable_amount), sum(uncollected_amount), sum(tax_amount),
  sum(provincial_tax_amount), sum(refunds), sum(product_refunds), sum(refunded_net_amount), sum(refunded_taxable_amount),
  sum(refunded_tax_amount), sum(refunded_provincial_tax_amount)
FROM parts, (SELECT 'day' AS span, 10 AS length UNION ALL SELECT 'month', 7)
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12;
