-- The values of changed fields, and the chain of hashes over the audit events of an account.
ALTER TABLE audit_events ADD COLUMN field_values TEXT;
-- The salt of the hashes of a person's data. It is deleted with the person.
ALTER TABLE customers ADD COLUMN audit_salt TEXT NOT NULL DEFAULT '';
UPDATE customers SET audit_salt = lower(hex(randomblob(16)));
CREATE TABLE audit_seals (
  account_id text NOT NULL,
  chain integer NOT NULL,
  position integer NOT NULL,
  audit_id text NOT NULL,
  hash text NOT NULL,
  sealed_at text NOT NULL,
  erased_at text,
  PRIMARY KEY(account_id, chain, position)
) STRICT;
CREATE INDEX audit_seals_of_event ON audit_seals (audit_id);
CREATE TABLE audit_progress (
  name text PRIMARY KEY NOT NULL,
  sealed_until text NOT NULL
) STRICT;

CREATE TRIGGER audit_events_keep_content BEFORE UPDATE ON audit_events
WHEN NOT EXISTS (SELECT 1 FROM open_doors WHERE account_id = OLD.account_id)
BEGIN
  SELECT RAISE(ABORT, 'an audit event cannot be changed');
END;
CREATE TRIGGER audit_events_stay BEFORE DELETE ON audit_events
WHEN NOT EXISTS (SELECT 1 FROM open_doors WHERE account_id = OLD.account_id)
BEGIN
  SELECT RAISE(ABORT, 'an audit event cannot be deleted');
END;
CREATE TRIGGER audit_seals_keep_content BEFORE UPDATE ON audit_seals
WHEN NOT EXISTS (SELECT 1 FROM open_doors WHERE account_id = OLD.account_id)
BEGIN
  SELECT RAISE(ABORT, 'a seal cannot be changed');
END;
CREATE TRIGGER audit_seals_stay BEFORE DELETE ON audit_seals
WHEN NOT EXISTS (SELECT 1 FROM open_doors WHERE account_id = OLD.account_id)
BEGIN
  SELECT RAISE(ABORT, 'a seal cannot be deleted');
END;
