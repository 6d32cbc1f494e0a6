-- The quota of the lines that filed returns keep.
ALTER TABLE account_usage ADD filed_rows integer DEFAULT 0 NOT NULL;
UPDATE account_usage SET filed_rows =
  (SELECT count(*) FROM filed_rows WHERE filed_rows.account_id = account_usage.account_id);
