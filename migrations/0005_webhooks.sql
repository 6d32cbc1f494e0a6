-- Up to which subscriber an event has been told; NULL before the first.
ALTER TABLE events ADD COLUMN fanned_out_to TEXT;

CREATE TABLE webhooks (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  url TEXT NOT NULL,
  -- JSON: event types, or `*`.
  events TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'disabled')),
  description TEXT,
  -- AES-GCM under ENCRYPTION_KEY: `iv.ciphertext` in base64url.
  secret TEXT NOT NULL,
  consecutive_failures INTEGER NOT NULL DEFAULT 0,
  -- After a failure nothing is sent before this moment.
  paused_until TEXT,
  last_failed_at TEXT,
  last_succeeded_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX webhooks_of_account ON webhooks (account_id, id);
CREATE INDEX webhooks_to_tell ON webhooks (id) WHERE status = 'active';

CREATE TABLE webhook_deliveries (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  webhook_id TEXT NOT NULL REFERENCES webhooks (id),
  event_id TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed', 'expired')),
  -- Counted when an attempt begins: one that died with its worker counts too.
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at TEXT NOT NULL,
  -- While an attempt is under way; after this moment it has died.
  leased_until TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX webhook_deliveries_of_event ON webhook_deliveries (event_id, webhook_id);
CREATE INDEX webhook_deliveries_of_webhook ON webhook_deliveries (webhook_id, account_id, id);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, next_attempt_at) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (updated_at) WHERE status <> 'pending';

CREATE TABLE webhook_attempts (
  delivery_id TEXT NOT NULL REFERENCES webhook_deliveries (id),
  attempt INTEGER NOT NULL,
  attempted_at TEXT NOT NULL,
  duration_ms INTEGER NOT NULL,
  response_status INTEGER,
  error TEXT,
  PRIMARY KEY (delivery_id, attempt)
) STRICT;
