ALTER TABLE `accounts` ADD `establishments` text DEFAULT '[]' NOT NULL;
