ALTER TABLE `transactions` ADD `reasons` text;
