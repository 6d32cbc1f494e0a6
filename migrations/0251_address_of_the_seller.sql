ALTER TABLE `accounts` ADD `city` text;
ALTER TABLE `accounts` ADD `line1` text;
ALTER TABLE `accounts` ADD `line2` text;
