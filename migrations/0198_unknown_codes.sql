CREATE TABLE `unknown_codes` (
	`account_id` text NOT NULL,
	`code` text NOT NULL,
	`lines` integer NOT NULL,
	`first_seen` text NOT NULL,
	`last_seen` text NOT NULL,
	PRIMARY KEY(`account_id`, `code`)
) STRICT;
ALTER TABLE `accounts` ADD `refuses_unknown_codes` integer DEFAULT 0 NOT NULL;
