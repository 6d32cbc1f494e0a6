CREATE TABLE `settlements` (
	`account_id` text NOT NULL,
	`transaction_id` text NOT NULL,
	`settled_id` text NOT NULL,
	`amount` integer NOT NULL,
	`tax_amount` integer NOT NULL,
	`parts` text NOT NULL,
	PRIMARY KEY(`transaction_id`, `settled_id`),
	CONSTRAINT "amount" CHECK(amount > 0)
) STRICT;
CREATE INDEX `settlements_of_sale` ON `settlements` (`account_id`,`settled_id`);
