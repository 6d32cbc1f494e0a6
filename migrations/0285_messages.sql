CREATE TABLE `message_recipients` (
	`account_id` text NOT NULL,
	`person_id` text NOT NULL,
	`stop_hash` text NOT NULL,
	`stop_token` text NOT NULL,
	`stopped_at` text,
	`created_at` text NOT NULL,
	PRIMARY KEY(`account_id`, `person_id`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE UNIQUE INDEX `message_recipients_stop_hash_unique` ON `message_recipients` (`stop_hash`);
CREATE TABLE `message_settings` (
	`account_id` text PRIMARY KEY NOT NULL,
	`hour` integer NOT NULL,
	`kinds_off` text NOT NULL,
	`chat_format` text,
	`chat_host` text,
	`chat_url` text,
	`chat_secret` text,
	`next_at` text,
	`leased_until` text,
	`read_until` text NOT NULL,
	`last_day` text,
	`test_day` text,
	`tests` integer DEFAULT 0 NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "chat_format" CHECK(chat_format IN ('signed', 'slack'))
) STRICT;
CREATE INDEX `message_settings_due` ON `message_settings` (`next_at`) WHERE next_at IS NOT NULL;
CREATE TABLE `messages` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`day` text NOT NULL,
	`channel` text NOT NULL,
	`person_id` text NOT NULL,
	`content` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`lost` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` text NOT NULL,
	`leased_until` text,
	`error` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "channel" CHECK(channel IN ('mail', 'chat')),
	CONSTRAINT "state" CHECK(state IN ('pending', 'sent', 'failed', 'unknown', 'stopped'))
) STRICT;
CREATE UNIQUE INDEX `messages_of_day` ON `messages` (`account_id`,`day`,`channel`,`person_id`);
CREATE INDEX `messages_due` ON `messages` (`next_attempt_at`) WHERE state = 'pending';
CREATE INDEX `messages_by_age` ON `messages` (`created_at`);
CREATE INDEX `events_to_tell` ON `events` (`owner_account_id`,`id`) WHERE type NOT IN ('transaction.created', 'transaction.refunded');
