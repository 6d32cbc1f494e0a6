CREATE TABLE `obligation_marks` (
	`account_id` text NOT NULL,
	`obligation_id` text NOT NULL,
	`state` text NOT NULL,
	`document` text NOT NULL,
	`place` text NOT NULL,
	`type` text NOT NULL,
	`jurisdiction_id` text NOT NULL,
	`from_date` text NOT NULL,
	`to_date` text NOT NULL,
	`reason` text,
	`day` text,
	`number` text,
	`late` integer DEFAULT 0 NOT NULL,
	`marked_at` text NOT NULL,
	`marked_by` text NOT NULL,
	PRIMARY KEY(`account_id`, `obligation_id`),
	CONSTRAINT "state" CHECK(state IN ('set_aside', 'filed')),
	CONSTRAINT "document" CHECK(document IN ('return', 'ec_sales_list'))
) STRICT;
CREATE INDEX `obligation_marks_by_day` ON `obligation_marks` (`account_id`,`to_date`);
