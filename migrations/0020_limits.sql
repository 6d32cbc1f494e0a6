CREATE TABLE `account_usage` (
	`account_id` text PRIMARY KEY NOT NULL,
	`transaction_lines` integer DEFAULT 0 NOT NULL,
	`refunds` integer DEFAULT 0 NOT NULL,
	`customers` integer DEFAULT 0 NOT NULL,
	`exemptions` integer DEFAULT 0 NOT NULL,
	`audit_events` integer DEFAULT 0 NOT NULL,
	`answer_day` text DEFAULT '' NOT NULL,
	`answer_bytes` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE TABLE `collector_leases` (
	`region` text PRIMARY KEY NOT NULL,
	`leased_until` text,
	`requested_at` text
) STRICT;
ALTER TABLE `idempotency_keys` ADD `customer_id` text;
CREATE INDEX `idempotency_keys_of_customer` ON `idempotency_keys` (`account_id`,`customer_id`) WHERE customer_id IS NOT NULL;
-- Count what the accounts have stored already. The rows must exist before the code that counts.
INSERT INTO `account_usage` (`account_id`, `transaction_lines`, `refunds`, `customers`, `exemptions`, `audit_events`)
SELECT `id`,
  (SELECT count(*) FROM `transaction_lines` JOIN `transactions` ON `transactions`.`id` = `transaction_id`
   WHERE `transactions`.`account_id` = `accounts`.`id`),
  (SELECT count(*) FROM `refunds` WHERE `account_id` = `accounts`.`id`),
  (SELECT count(*) FROM `customers` WHERE `account_id` = `accounts`.`id`),
  (SELECT count(*) FROM `exemptions` JOIN `customers` ON `customers`.`id` = `customer_id`
   WHERE `customers`.`account_id` = `accounts`.`id`),
  (SELECT count(*) FROM `audit_events` WHERE `account_id` = `accounts`.`id`)
FROM `accounts`;
-- Name the customer in the kept answers, which live for a day.
UPDATE `idempotency_keys` SET `customer_id` = CASE
  WHEN instr(`path`, 'cust_') > 0 THEN substr(`path`, instr(`path`, 'cust_'), 31)
  ELSE json_extract(`answer`, '$.id') END
WHERE `path` LIKE '/v1/customers%' OR `path` LIKE '/v1/vat/%';
