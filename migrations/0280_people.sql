CREATE TABLE `people` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`last_seen_at` text,
	`removed_at` text,
	`erased_at` text,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "role" CHECK(role IN ('owner', 'accountant', 'filer', 'support', 'developer', 'auditor'))
) STRICT;
CREATE UNIQUE INDEX `people_by_email` ON `people` (`account_id`,`email`) WHERE removed_at IS NULL;
CREATE INDEX `people_of_email` ON `people` (`email`);
CREATE INDEX `people_of_account` ON `people` (`account_id`,`id`);
