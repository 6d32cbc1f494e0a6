CREATE TABLE `taxjar_documents` (
	`account_id` text NOT NULL,
	`kind` text NOT NULL,
	`provider` text NOT NULL,
	`document_id` text NOT NULL,
	`transaction_id` text NOT NULL,
	`refund_id` text,
	`transaction_date` text NOT NULL,
	`customer_id` text,
	`body` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	PRIMARY KEY(`account_id`, `kind`, `provider`, `document_id`),
	CONSTRAINT "kind" CHECK(kind IN ('order', 'refund'))
) STRICT;
CREATE INDEX `taxjar_documents_by_date` ON `taxjar_documents` (`account_id`,`kind`,`provider`,`transaction_date`,`document_id`);
CREATE INDEX `taxjar_documents_of_customer` ON `taxjar_documents` (`account_id`,`customer_id`);
ALTER TABLE `accounts` ADD `taxjar_api` integer DEFAULT 0 NOT NULL;
ALTER TABLE `accounts` ADD `taxjar_currency` text;
ALTER TABLE `accounts` ADD `taxjar_state_only` integer DEFAULT 0 NOT NULL;
ALTER TABLE `transactions` ADD `superseded_at` text;
ALTER TABLE `transactions` ADD `superseded_by` text;
