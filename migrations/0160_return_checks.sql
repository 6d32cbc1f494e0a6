-- When a filed return was last compared with the books, and what was wrong.
CREATE TABLE return_checks (
  return_id text PRIMARY KEY NOT NULL,
  account_id text NOT NULL,
  checked_at text NOT NULL,
  fault text
) STRICT;
CREATE INDEX return_checks_with_fault ON return_checks (account_id,return_id) WHERE fault IS NOT NULL;

-- Late entries stay late: without the mark, no open return looks for them.
CREATE TRIGGER returns_keep_late BEFORE UPDATE OF late ON returns
WHEN OLD.late = 1 AND NEW.late <> 1 AND NOT EXISTS (SELECT 1 FROM open_doors WHERE account_id = OLD.account_id)
BEGIN
  SELECT RAISE(ABORT, 'late entries of a return stay late');
END;
-- Only with a moment and a reason does a filed return count no more.
CREATE TRIGGER returns_keep_reason BEFORE UPDATE OF status, reopened_at, reopen_reason ON returns
WHEN OLD.status = 'filed' AND (NEW.status <> 'reopened' OR NEW.reopened_at IS NULL OR NEW.reopen_reason IS NULL) AND NOT EXISTS (SELECT 1 FROM open_doors WHERE account_id = OLD.account_id)
BEGIN
  SELECT RAISE(ABORT, 'a filed return is reopened with a reason');
END;
