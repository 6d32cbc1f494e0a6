CREATE TABLE `local_editions` (
	`state` text NOT NULL,
	`kind` text NOT NULL,
	`file` text,
	`listed_file` text,
	`tried_file` text,
	`hash` text,
	`rows` integer DEFAULT 0 NOT NULL,
	`next_change` text,
	`read_at` text,
	`outcome` text,
	`error` text,
	PRIMARY KEY(`state`, `kind`),
	CONSTRAINT "kind" CHECK(kind IN ('rates', 'boundaries', 'list', 'watched')),
	CONSTRAINT "outcome" CHECK(outcome IN ('applied', 'confirmed', 'quarantined', 'failed'))
) STRICT;
