CREATE TABLE local_parts (
  part TEXT NOT NULL,
  content TEXT NOT NULL,
  recorded_at TEXT NOT NULL,
  superseded_at TEXT,
  PRIMARY KEY (part, recorded_at)
) STRICT;
