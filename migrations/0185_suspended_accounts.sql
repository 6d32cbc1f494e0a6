ALTER TABLE `accounts` ADD `suspended_at` text;
ALTER TABLE `accounts` ADD `erased_at` text;
