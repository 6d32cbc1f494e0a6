-- The recorded sale that a credit note names: credit notes count into what can be refunded of it.
ALTER TABLE transactions ADD credited_sale text;
CREATE INDEX transactions_of_credited_sale ON transactions (account_id,credited_sale) WHERE credited_sale IS NOT NULL;
