CREATE TABLE `collector_leases` (
	`region` text PRIMARY KEY NOT NULL,
	`lease_until` text NOT NULL
) STRICT;
