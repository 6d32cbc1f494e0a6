ALTER TABLE `transactions` ADD `of_other_seller` integer DEFAULT 0 NOT NULL;
CREATE INDEX `transactions_of_other_sellers` ON `transactions` (`account_id`,`transaction_date`,`id`) WHERE of_other_seller = 1;
