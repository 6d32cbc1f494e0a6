DROP INDEX `transactions_by_lower_invoice_number`;
CREATE INDEX `transactions_by_lower_invoice_number` ON `transactions` (`account_id`,lower("facts" ->> '$.invoice_number')) WHERE lower("facts" ->> '$.invoice_number') IS NOT NULL;
