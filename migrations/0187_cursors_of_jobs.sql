CREATE TABLE `job_cursors` (
	`name` text PRIMARY KEY NOT NULL,
	`after` text NOT NULL
) STRICT;
