-- Bitemporal: the effective period stands in the content, the recorded period is recorded_at to superseded_at.
-- A correction supersedes a row and adds another; only last_verified_at is ever refreshed in place.
CREATE TABLE facts (
  sequence INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  content TEXT NOT NULL,
  last_verified_at TEXT,
  recorded_at TEXT NOT NULL,
  superseded_at TEXT
) STRICT;
CREATE UNIQUE INDEX facts_current ON facts (kind, id) WHERE superseded_at IS NULL;

CREATE TABLE data_versions (
  version TEXT PRIMARY KEY,
  recorded_at TEXT NOT NULL,
  reason TEXT NOT NULL
) STRICT;
