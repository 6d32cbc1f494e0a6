CREATE INDEX `tax_totals_to_businesses` ON `tax_totals` (`account_id`,`period`) WHERE span = 'month' AND reason IN ('intra_community_supply', 'reverse_charge');
