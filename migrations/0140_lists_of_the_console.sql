CREATE INDEX `exemptions_of_account` ON `exemptions` (`account_id`,`id`);
CREATE INDEX `exemptions_by_status` ON `exemptions` (`account_id`,`status`,`id`);
CREATE INDEX `transactions_of_customer` ON `transactions` (`account_id`,`customer_id`,`transaction_date`,`id`) WHERE customer_id IS NOT NULL;
