CREATE TABLE `saleor_refused_orders` (
	`install_id` text NOT NULL,
	`order_id` text NOT NULL,
	`account_id` text NOT NULL,
	`number` text NOT NULL,
	`reason` text NOT NULL,
	`field` text,
	`since` text NOT NULL,
	`tried_at` text NOT NULL,
	`dismissed_at` text,
	PRIMARY KEY(`install_id`, `order_id`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE INDEX `saleor_refused_orders_of_account` ON `saleor_refused_orders` (`account_id`,`install_id`) WHERE dismissed_at IS NULL;
