CREATE TABLE `sealed_returns` (
	`return_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`state` text NOT NULL,
	`object` text NOT NULL,
	`sha256` text NOT NULL,
	`bytes` integer NOT NULL,
	`lines` integer NOT NULL,
	`from_day` text NOT NULL,
	`to_day` text NOT NULL,
	`blocks` text NOT NULL,
	`written_at` text NOT NULL,
	`sealed_at` text,
	CONSTRAINT "state" CHECK(state IN ('written', 'verified', 'sealed'))
) STRICT;
CREATE INDEX `sealed_returns_of_account` ON `sealed_returns` (`account_id`,`from_day`);
CREATE INDEX `returns_by_filing` ON `returns` (`filed_at`,`id`) WHERE status = 'filed';
