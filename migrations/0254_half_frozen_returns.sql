DROP INDEX `returns_by_version`;
CREATE INDEX `returns_of_period` ON `returns` (`account_id`,`type`,`jurisdiction_id`,`period`);
CREATE INDEX `returns_half_frozen` ON `returns` (`created_at`) WHERE status = 'freezing';
CREATE UNIQUE INDEX `returns_by_version` ON `returns` (`account_id`,`type`,`jurisdiction_id`,`period`,`version`) WHERE status <> 'freezing';
