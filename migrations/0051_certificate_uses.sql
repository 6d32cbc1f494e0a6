-- How many sales rest on a certificate. One with sales cannot be deleted by itself.
ALTER TABLE exemptions ADD COLUMN sales INTEGER NOT NULL DEFAULT 0;
