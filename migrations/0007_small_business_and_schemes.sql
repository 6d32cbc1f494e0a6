ALTER TABLE accounts ADD COLUMN small_business INTEGER NOT NULL DEFAULT 0 CHECK (small_business IN (0, 1));
ALTER TABLE accounts ADD COLUMN over_eu_threshold INTEGER NOT NULL DEFAULT 0 CHECK (over_eu_threshold IN (0, 1));

-- SQLite cannot change a CHECK, so the table is copied. No other table refers to it.
CREATE TABLE new_registrations (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  jurisdiction_id TEXT,
  scheme TEXT CHECK (scheme IN ('oss_union', 'oss_non_union', 'ioss', 'ca_simplified', 'qc_specified')),
  registration_number TEXT,
  valid_from TEXT NOT NULL,
  valid_to TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  CHECK ((jurisdiction_id IS NULL) <> (scheme IS NULL))
) STRICT;
INSERT INTO new_registrations SELECT id, account_id, jurisdiction_id, scheme, registration_number, valid_from,
  valid_to, created_at, updated_at FROM registrations;
DROP TABLE registrations;
ALTER TABLE new_registrations RENAME TO registrations;
CREATE INDEX registrations_of_account ON registrations (account_id, id);
