ALTER TABLE `accounts` ADD `global_turnover` integer;
ALTER TABLE `accounts` ADD `global_turnover_currency` text;
