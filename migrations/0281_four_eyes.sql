ALTER TABLE `accounts` ADD `four_eyes` integer DEFAULT 0 NOT NULL;
ALTER TABLE `api_keys` ADD `made_by` text;
ALTER TABLE `return_submissions` ADD `reviewed_person` text;
