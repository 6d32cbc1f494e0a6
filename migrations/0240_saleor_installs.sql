CREATE TABLE `saleor_installs` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`saleor_api_url` text NOT NULL,
	`key_id` text NOT NULL,
	`api_key` text NOT NULL,
	`token_hash` text,
	`token_expires_at` text NOT NULL,
	`auth_token` text,
	`jwks` text,
	`jwks_read_at` text,
	`registered_at` text,
	`created_at` text NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE INDEX `saleor_installs_of_account` ON `saleor_installs` (`account_id`,`id`);
