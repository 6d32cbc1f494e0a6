CREATE TABLE `return_submissions` (
	`return_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`state` text NOT NULL,
	`number` text,
	`day` text,
	`paid_at` text,
	`payment` integer,
	`interest` integer,
	`note` text,
	`reviewed_at` text,
	`reviewed_by` text,
	`updated_at` text NOT NULL,
	CONSTRAINT "state" CHECK(state IN ('open', 'reviewed', 'filed', 'paid'))
) STRICT;
CREATE INDEX `return_submissions_of_account` ON `return_submissions` (`account_id`,`return_id`);
