CREATE TABLE `vat_check_ids` (
	`check_id` text NOT NULL,
	`position` integer NOT NULL,
	`given` text NOT NULL,
	`vat_id` text NOT NULL,
	`country` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` text,
	`reason` text,
	`source` text,
	`company_name` text,
	`company_address` text,
	`consultation_number` text,
	`checked_at` text,
	PRIMARY KEY(`check_id`, `position`),
	FOREIGN KEY (`check_id`) REFERENCES `vat_checks`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "status" CHECK(status IN ('pending', 'valid', 'invalid', 'unavailable'))
) STRICT;
CREATE INDEX `vat_check_ids_due` ON `vat_check_ids` (`check_id`,`next_attempt_at`) WHERE status = 'pending';
CREATE TABLE `vat_checks` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`key_id` text NOT NULL,
	`requester_vat_id` text,
	`total` integer NOT NULL,
	`due_at` text,
	`created_at` text NOT NULL,
	`finished_at` text
) STRICT;
CREATE INDEX `vat_checks_of_account` ON `vat_checks` (`account_id`,`id`);
CREATE INDEX `vat_checks_due` ON `vat_checks` (`due_at`) WHERE due_at IS NOT NULL;
CREATE INDEX `vat_checks_by_age` ON `vat_checks` (`created_at`);
