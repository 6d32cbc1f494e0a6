ALTER TABLE `account_usage` ADD `delivery_day` text DEFAULT '' NOT NULL;
ALTER TABLE `account_usage` ADD `deliveries` integer DEFAULT 0 NOT NULL;
