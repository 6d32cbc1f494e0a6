CREATE TABLE `later_facts` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`content` text NOT NULL,
	`last_verified_at` text,
	`verification` text,
	`recorded_at` text NOT NULL,
	`superseded_at` text
) STRICT;
CREATE UNIQUE INDEX `later_facts_current` ON `later_facts` (`kind`,`id`) WHERE superseded_at IS NULL;
