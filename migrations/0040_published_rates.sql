CREATE TABLE `published_rates` (
	`series` text NOT NULL,
	`day` text NOT NULL,
	`rates` text NOT NULL,
	`document_hash` text NOT NULL,
	`recorded_at` text NOT NULL,
	`superseded_at` text,
	PRIMARY KEY(`series`, `day`, `recorded_at`)
) STRICT;
CREATE UNIQUE INDEX `published_rates_current` ON `published_rates` (`series`,`day`) WHERE superseded_at IS NULL;
