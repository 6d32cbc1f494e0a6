CREATE INDEX `refunds_by_day` ON `refunds` (`account_id`,`day`,`refunded_at`);
CREATE INDEX `transactions_by_day` ON `transactions` (`account_id`,`day`,`transaction_date`);
