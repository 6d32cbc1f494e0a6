-- Books in several databases. An account's row says which one contains its books, and each of these databases
-- has a row of the account that says whether its books are open there.
ALTER TABLE accounts ADD COLUMN shard INTEGER NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN home TEXT NOT NULL DEFAULT 'open' CHECK (home IN ('open', 'closing', 'away'));
CREATE TABLE account_moves (
  account_id text PRIMARY KEY NOT NULL REFERENCES accounts (id),
  from_shard integer NOT NULL,
  to_shard integer NOT NULL,
  started_at text NOT NULL,
  closed_at text,
  switched_at text
) STRICT;
