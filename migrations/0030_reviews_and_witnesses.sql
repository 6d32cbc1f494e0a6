CREATE TABLE `reviews` (
	`id` text PRIMARY KEY NOT NULL,
	`region` text NOT NULL,
	`part` text NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`value` text NOT NULL,
	`status` text NOT NULL,
	`why` text NOT NULL,
	`stands` text,
	`proposed` text,
	`source` text NOT NULL,
	`document_url` text NOT NULL,
	`document_hash` text,
	`excerpt` text NOT NULL,
	`witnesses` text NOT NULL,
	`first_seen_at` text NOT NULL,
	`last_seen_at` text NOT NULL,
	`decided_at` text,
	`decided_by` text,
	`decision_reason` text,
	CONSTRAINT "kind" CHECK(kind IN ('rates', 'thresholds', 'product_rules', 'document')),
	CONSTRAINT "status" CHECK(status IN ('waiting', 'open', 'accepted', 'refused', 'applied', 'gone'))
) STRICT;
CREATE INDEX `reviews_by_status` ON `reviews` (`status`,`id`);
CREATE INDEX `reviews_of_region` ON `reviews` (`region`,`status`);
ALTER TABLE `collector_runs` ADD `sources` text DEFAULT '[]' NOT NULL;
ALTER TABLE `collector_runs` ADD `records_held` integer DEFAULT 0 NOT NULL;
ALTER TABLE `collector_states` ADD `fallbacks` text DEFAULT '[]' NOT NULL;
ALTER TABLE `collector_states` ADD `records_held` integer DEFAULT 0 NOT NULL;
ALTER TABLE `facts` ADD `verification` text;
