ALTER TABLE `exemptions` ADD `ended_on` text;
-- The last day of those that have expired: before the day of their move. The audit says what they were.
UPDATE exemptions SET ended_on = (
  SELECT CASE moved.field_values ->> '$.status.old' WHEN 'verified'
    THEN min(coalesce(valid_to, '9999-12-31'), date(moved.created_at, '-1 day')) END
  FROM audit_events moved
  WHERE moved.account_id = exemptions.account_id AND moved.resource_id = exemptions.id
    AND moved.field_values ->> '$.status.new' = 'expired'
  ORDER BY moved.id DESC LIMIT 1)
WHERE status = 'expired';
