CREATE INDEX `transactions_with_variance` ON `transactions` (`account_id`,`day`,`jurisdiction_id`) WHERE tax_variance <> 0;
