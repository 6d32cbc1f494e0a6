CREATE TABLE `audit_chests` (
	`account_id` text NOT NULL,
	`first_id` text NOT NULL,
	`last_id` text NOT NULL,
	`events` integer NOT NULL,
	`object` text NOT NULL,
	`content` text NOT NULL,
	`sha256` text NOT NULL,
	`previous_sha256` text NOT NULL,
	`sealed_at` text NOT NULL,
	PRIMARY KEY(`account_id`, `first_id`)
) STRICT;
CREATE TRIGGER audit_chests_keep_content BEFORE UPDATE ON audit_chests
WHEN NOT EXISTS (SELECT 1 FROM open_doors WHERE account_id = OLD.account_id)
BEGIN
  SELECT RAISE(ABORT, 'a chest of audit events cannot be changed');
END;
CREATE TRIGGER audit_chests_stay BEFORE DELETE ON audit_chests
WHEN NOT EXISTS (SELECT 1 FROM open_doors WHERE account_id = OLD.account_id)
BEGIN
  SELECT RAISE(ABORT, 'a chest of audit events cannot be deleted');
END;
