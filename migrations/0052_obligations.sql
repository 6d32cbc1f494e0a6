-- How often a registration files its returns; null: as the calendar says for its place.
ALTER TABLE registrations ADD COLUMN filing_frequency TEXT CHECK (filing_frequency IN ('monthly', 'quarterly', 'annual'));
-- The secret address of an account's calendar. Only the hash of its token is stored.
CREATE TABLE calendar_feeds (
  account_id text PRIMARY KEY NOT NULL,
  token_hash text NOT NULL,
  created_at text NOT NULL,
  FOREIGN KEY (account_id) REFERENCES accounts(id) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE UNIQUE INDEX calendar_feeds_token_hash_unique ON calendar_feeds (token_hash);
