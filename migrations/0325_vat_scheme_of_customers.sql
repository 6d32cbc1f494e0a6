ALTER TABLE `customers` ADD `vat_scheme` text;
