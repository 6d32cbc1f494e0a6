ALTER TABLE `saleor_installs` ADD `orders_read_until` text;
ALTER TABLE `saleor_installs` ADD `orders_cursor` text;
ALTER TABLE `saleor_installs` ADD `orders_asked_at` text;
ALTER TABLE `saleor_installs` ADD `orders_fault` text;
ALTER TABLE `saleor_installs` ADD `orders_fault_at` text;
