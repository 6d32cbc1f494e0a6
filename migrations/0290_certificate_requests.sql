CREATE TABLE `certificate_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`key_id` text NOT NULL,
	`token_hash` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`revoked_at` text,
	`used_at` text,
	`exemption_id` text,
	`sent_hash` text,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE UNIQUE INDEX `certificate_requests_token_hash_unique` ON `certificate_requests` (`token_hash`);
CREATE INDEX `certificate_requests_of_customer` ON `certificate_requests` (`account_id`,`customer_id`,`id`);
CREATE INDEX `certificate_requests_by_end` ON `certificate_requests` (`expires_at`);
