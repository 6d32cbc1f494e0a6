ALTER TABLE `accounts` ADD `held_at` text;
