CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  tier TEXT NOT NULL CHECK (tier IN ('free', 'pro', 'enterprise')),
  sandbox INTEGER NOT NULL,
  seller_name TEXT,
  country TEXT,
  region TEXT,
  postal_code TEXT,
  vat_id TEXT,
  vat_id_policy TEXT NOT NULL DEFAULT 'format' CHECK (vat_id_policy IN ('format', 'validated')),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT,
  hash TEXT NOT NULL UNIQUE,
  prefix TEXT NOT NULL,
  scopes TEXT NOT NULL,
  expires_at TEXT,
  revoked_at TEXT,
  last_used_at TEXT,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX api_keys_of_account ON api_keys (account_id, id);

CREATE TABLE registrations (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  jurisdiction_id TEXT,
  scheme TEXT CHECK (scheme IN ('oss_union', 'oss_non_union', 'ioss')),
  registration_number TEXT,
  valid_from TEXT NOT NULL,
  valid_to TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  CHECK ((jurisdiction_id IS NULL) <> (scheme IS NULL))
) STRICT;
CREATE INDEX registrations_of_account ON registrations (account_id, id);

CREATE TABLE idempotency_keys (
  account_id TEXT NOT NULL,
  key TEXT NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  status INTEGER NOT NULL,
  answer TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (account_id, key, method, path)
) STRICT;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

CREATE TABLE audit_events (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  action TEXT NOT NULL,
  resource_id TEXT NOT NULL,
  changed TEXT NOT NULL,
  request_id TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX audit_events_of_account ON audit_events (account_id, id);
CREATE INDEX audit_events_of_resource ON audit_events (account_id, resource_id, id);
