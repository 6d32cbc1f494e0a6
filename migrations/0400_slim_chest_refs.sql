-- Refs name their account by a number: two refs a sale took 118 bytes.
ALTER TABLE `sealed_accounts` ADD `number` integer DEFAULT 0 NOT NULL;
UPDATE `sealed_accounts` SET `number` = abs(random() % 2147483647);
CREATE UNIQUE INDEX `sealed_accounts_by_number` ON `sealed_accounts` (`number`);
CREATE TABLE `__new_chest_refs` (
	`hash` integer PRIMARY KEY NOT NULL,
	`account` integer NOT NULL,
	`chest` integer NOT NULL,
	`block` integer NOT NULL
) STRICT;
INSERT INTO `__new_chest_refs` (`hash`, `account`, `chest`, `block`)
SELECT `hash`, `number`, `chest`, `block` FROM `chest_refs` JOIN `sealed_accounts` USING (`account_id`);
DROP TABLE `chest_refs`;
ALTER TABLE `__new_chest_refs` RENAME TO `chest_refs`;
