-- Periods of two and of six months. A CHECK cannot be changed, so the column is made anew.
ALTER TABLE registrations ADD COLUMN frequency TEXT
  CHECK (frequency IN ('monthly', 'two_monthly', 'quarterly', 'six_monthly', 'annual'));
UPDATE registrations SET frequency = filing_frequency;
ALTER TABLE registrations DROP COLUMN filing_frequency;
ALTER TABLE registrations RENAME COLUMN frequency TO filing_frequency;
