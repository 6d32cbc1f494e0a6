CREATE INDEX `exemptions_by_end` ON `exemptions` (`account_id`,`status`,coalesce("valid_to", '9999-12-31'),`id`);
CREATE INDEX `exemptions_by_lower_number` ON `exemptions` (`account_id`,lower("certificate_number"));
CREATE INDEX `exemptions_of_place` ON `exemptions` (`account_id`,`jurisdiction_id`,`id`);
