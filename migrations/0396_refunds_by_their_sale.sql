DROP INDEX `refunds_of_transaction`;
CREATE INDEX `refunds_of_transaction` ON `refunds` (`transaction_id`,`account_id`,`id`);
