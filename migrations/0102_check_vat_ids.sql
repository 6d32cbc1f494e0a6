CREATE INDEX `customers_to_check` ON `customers` (`vat_id_validated_at`) WHERE vat_id_validated = 1;
