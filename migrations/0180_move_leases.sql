-- A mover has a lease, and a fence in both databases, so that two movers of an account do no harm.
CREATE TABLE `move_fences` (
	`account_id` text PRIMARY KEY NOT NULL,
	`owner` text NOT NULL,
	`draining` integer DEFAULT 0 NOT NULL
) STRICT;
ALTER TABLE `account_moves` ADD `owner` text;
ALTER TABLE `account_moves` ADD `leased_until` text;
ALTER TABLE `account_moves` ADD `aborted_at` text;
ALTER TABLE `account_moves` ADD `finished_at` text;
