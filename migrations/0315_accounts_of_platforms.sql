ALTER TABLE `accounts` ADD `platform_id` text;
ALTER TABLE `accounts` ADD `external_id` text;
CREATE UNIQUE INDEX `accounts_by_external_id` ON `accounts` (`platform_id`,`external_id`) WHERE platform_id IS NOT NULL;
CREATE INDEX `accounts_of_platform` ON `accounts` (`platform_id`,`id`) WHERE platform_id IS NOT NULL;
