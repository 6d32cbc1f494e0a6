CREATE TABLE `threshold_states` (
	`account_id` text NOT NULL,
	`jurisdiction_id` text NOT NULL,
	`status` text NOT NULL,
	`told_at` text NOT NULL,
	PRIMARY KEY(`account_id`, `jurisdiction_id`),
	CONSTRAINT "status" CHECK(status IN ('approaching', 'exceeded'))
) STRICT;
