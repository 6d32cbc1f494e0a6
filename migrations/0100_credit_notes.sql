CREATE INDEX `transactions_that_credit` ON `transactions` (`account_id`,`day`) WHERE credited_day IS NOT NULL;
