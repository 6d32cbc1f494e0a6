CREATE TABLE `erasures` (
	`account_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`erased_at` text NOT NULL,
	PRIMARY KEY(`account_id`, `customer_id`)
) STRICT;
CREATE INDEX `exemptions_by_document` ON `exemptions` (`document_id`) WHERE document_id IS NOT NULL;
