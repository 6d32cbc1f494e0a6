CREATE INDEX `customers_by_lower_name` ON `customers` (`account_id`,lower("name"));
CREATE INDEX `customers_by_lower_email` ON `customers` (`account_id`,lower("email"));
CREATE INDEX `transactions_by_lower_external_id` ON `transactions` (`account_id`,lower("external_id")) WHERE external_id IS NOT NULL;
CREATE INDEX `transactions_by_lower_invoice_number` ON `transactions` (`account_id`,lower("facts" ->> '$.invoice_number'));
CREATE INDEX `transactions_by_total` ON `transactions` (`account_id`,`total`);
