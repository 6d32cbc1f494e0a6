CREATE TABLE collector_runs (
  id TEXT PRIMARY KEY,
  region TEXT NOT NULL,
  started_at TEXT NOT NULL,
  duration_ms INTEGER NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('applied', 'confirmed', 'quarantined', 'failed')),
  -- JSON: url, size and SHA-256 of each document that was read.
  documents TEXT NOT NULL,
  records_seen INTEGER NOT NULL,
  records_confirmed INTEGER NOT NULL,
  records_changed INTEGER NOT NULL,
  records_added INTEGER NOT NULL,
  data_version TEXT,
  error TEXT
) STRICT;
CREATE INDEX collector_runs_of_region ON collector_runs (region, started_at);

-- The text of the source that a changed value was read from.
CREATE TABLE collector_evidence (
  run_id TEXT NOT NULL REFERENCES collector_runs (id),
  kind TEXT NOT NULL,
  fact_id TEXT NOT NULL,
  document_hash TEXT NOT NULL,
  matched_text TEXT NOT NULL,
  PRIMARY KEY (run_id, kind, fact_id)
) STRICT;

CREATE TABLE collector_states (
  region TEXT PRIMARY KEY,
  last_sync_at TEXT,
  last_success_at TEXT,
  consecutive_failures INTEGER NOT NULL,
  parse_failures INTEGER NOT NULL,
  last_error TEXT,
  next_run_at TEXT NOT NULL
) STRICT;
CREATE INDEX collector_states_due ON collector_states (next_run_at);

-- The outbox: what happened, written in the batch that made it happen, and told to subscribers afterwards.
CREATE TABLE events (
  id TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  data TEXT NOT NULL,
  created_at TEXT NOT NULL,
  fanned_out_at TEXT
) STRICT;
CREATE INDEX events_to_fan_out ON events (id) WHERE fanned_out_at IS NULL;
