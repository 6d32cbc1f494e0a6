-- Returns as they were filed, the lines behind them, and the door for moving or erasing an account.
CREATE TABLE filed_rows (
  account_id text NOT NULL,
  return_id text NOT NULL,
  position integer NOT NULL,
  entry_id text NOT NULL,
  transaction_id text NOT NULL,
  refund_id text NOT NULL,
  content text NOT NULL,
  PRIMARY KEY(return_id, position)
) STRICT;
CREATE UNIQUE INDEX filed_rows_by_entry ON filed_rows (account_id,return_id,entry_id);
CREATE INDEX filed_rows_of_transaction ON filed_rows (account_id,transaction_id,refund_id);
CREATE TABLE open_doors (
  account_id text PRIMARY KEY NOT NULL,
  reason text NOT NULL
) STRICT;
CREATE TABLE returns (
  id text PRIMARY KEY NOT NULL,
  account_id text NOT NULL,
  type text NOT NULL,
  jurisdiction_id text NOT NULL,
  period text NOT NULL,
  from_date text NOT NULL,
  to_date text NOT NULL,
  version integer NOT NULL,
  status text NOT NULL,
  late integer DEFAULT 0 NOT NULL,
  corrects text NOT NULL,
  content text NOT NULL,
  sums text NOT NULL,
  inputs text NOT NULL,
  data_version text NOT NULL,
  row_count integer NOT NULL,
  rows_hash text NOT NULL,
  previous_hash text,
  hash text,
  created_at text NOT NULL,
  filed_at text,
  filed_by text NOT NULL,
  reopened_at text,
  reopen_reason text,
  CHECK (status IN ('freezing', 'filed', 'reopened')),
  CHECK (status = 'freezing' OR (hash IS NOT NULL AND filed_at IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX returns_by_version ON returns (account_id,type,jurisdiction_id,period,version);
CREATE UNIQUE INDEX returns_by_previous_hash ON returns (account_id,previous_hash) WHERE previous_hash IS NOT NULL;
CREATE INDEX returns_by_period ON returns (account_id,from_date);

CREATE TRIGGER returns_keep_content BEFORE UPDATE OF account_id, type, jurisdiction_id, period, from_date, to_date, version, corrects, content, sums, inputs, data_version, row_count, rows_hash, previous_hash, hash, filed_at, filed_by ON returns
WHEN OLD.status <> 'freezing' AND NOT EXISTS (SELECT 1 FROM open_doors WHERE account_id = OLD.account_id)
BEGIN
  SELECT RAISE(ABORT, 'a filed return cannot be changed');
END;
CREATE TRIGGER returns_keep_status BEFORE UPDATE OF status ON returns
WHEN OLD.status = 'reopened' AND NOT EXISTS (SELECT 1 FROM open_doors WHERE account_id = OLD.account_id)
BEGIN
  SELECT RAISE(ABORT, 'a reopened return cannot be filed again');
END;
CREATE TRIGGER returns_stay BEFORE DELETE ON returns
WHEN OLD.status <> 'freezing' AND NOT EXISTS (SELECT 1 FROM open_doors WHERE account_id = OLD.account_id)
BEGIN
  SELECT RAISE(ABORT, 'a filed return cannot be deleted');
END;
CREATE TRIGGER filed_rows_are_complete BEFORE INSERT ON filed_rows
WHEN EXISTS (SELECT 1 FROM returns WHERE id = NEW.return_id AND status <> 'freezing') AND NOT EXISTS (SELECT 1 FROM open_doors WHERE account_id = NEW.account_id)
BEGIN
  SELECT RAISE(ABORT, 'a filed return has all its rows');
END;
CREATE TRIGGER filed_rows_keep_content BEFORE UPDATE ON filed_rows
WHEN NOT EXISTS (SELECT 1 FROM open_doors WHERE account_id = OLD.account_id)
BEGIN
  SELECT RAISE(ABORT, 'a filed row cannot be changed');
END;
CREATE TRIGGER filed_rows_stay BEFORE DELETE ON filed_rows
WHEN EXISTS (SELECT 1 FROM returns WHERE id = OLD.return_id AND status <> 'freezing') AND NOT EXISTS (SELECT 1 FROM open_doors WHERE account_id = OLD.account_id)
BEGIN
  SELECT RAISE(ABORT, 'a filed row cannot be deleted');
END;
