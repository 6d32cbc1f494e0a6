CREATE TABLE `document_erasures` (
	`account_id` text NOT NULL,
	`document_id` text NOT NULL,
	`due_at` text NOT NULL,
	`in_bucket` integer NOT NULL,
	`bytes` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`account_id`, `document_id`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "in_bucket" CHECK(in_bucket IN (0, 1))
) STRICT;
CREATE INDEX `document_erasures_by_day` ON `document_erasures` (`due_at`);
CREATE TABLE `document_parts` (
	`account_id` text NOT NULL,
	`document_id` text NOT NULL,
	`position` integer NOT NULL,
	`content` text NOT NULL,
	PRIMARY KEY(`account_id`, `document_id`, `position`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
ALTER TABLE `exemptions` ADD `reason_code` text;
ALTER TABLE `exemptions` ADD `document_id` text;
ALTER TABLE `exemptions` ADD `document_type` text;
ALTER TABLE `exemptions` ADD `document_bytes` integer;
ALTER TABLE `exemptions` ADD `document_sha256` text;
ALTER TABLE `account_usage` ADD `document_bytes` integer DEFAULT 0 NOT NULL;
