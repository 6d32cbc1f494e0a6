CREATE TABLE `chest_blocks` (
	`account_id` text NOT NULL,
	`chest` integer NOT NULL,
	`block` integer NOT NULL,
	`from_date` text NOT NULL,
	`from_id` text NOT NULL,
	`to_date` text NOT NULL,
	`to_id` text NOT NULL,
	`offset` integer NOT NULL,
	`bytes` integer NOT NULL,
	`sales` integer NOT NULL,
	`sha256` text NOT NULL,
	PRIMARY KEY(`account_id`, `chest`, `block`)
) STRICT;
CREATE INDEX `chest_blocks_by_first` ON `chest_blocks` (`account_id`,`from_date`,`from_id`);
CREATE INDEX `chest_blocks_by_last` ON `chest_blocks` (`account_id`,`to_date`,`to_id`);
CREATE TABLE `chest_refs` (
	`hash` integer PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`chest` integer NOT NULL,
	`block` integer NOT NULL
) STRICT;
CREATE TABLE `chests` (
	`account_id` text NOT NULL,
	`number` integer NOT NULL,
	`state` text NOT NULL,
	`after_date` text NOT NULL,
	`after_id` text NOT NULL,
	`last_date` text NOT NULL,
	`last_id` text NOT NULL,
	`sales` integer DEFAULT 0 NOT NULL,
	`lines` integer DEFAULT 0 NOT NULL,
	`bytes` integer DEFAULT 0 NOT NULL,
	`object` text DEFAULT '' NOT NULL,
	`sha256` text DEFAULT '' NOT NULL,
	`previous_sha256` text DEFAULT '' NOT NULL,
	`planned_at` text NOT NULL,
	`sealed_at` text,
	PRIMARY KEY(`account_id`, `number`),
	CONSTRAINT "state" CHECK(state IN ('planned', 'written', 'verified', 'sealed'))
) STRICT;
CREATE INDEX `chests_under_way` ON `chests` (`planned_at`) WHERE state <> 'sealed';
CREATE TABLE `sealed_accounts` (
	`account_id` text PRIMARY KEY NOT NULL,
	`changes` integer DEFAULT 0 NOT NULL
) STRICT;
