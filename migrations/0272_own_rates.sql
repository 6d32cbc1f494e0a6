ALTER TABLE `accounts` ADD `own_rates` text DEFAULT '[]' NOT NULL;
