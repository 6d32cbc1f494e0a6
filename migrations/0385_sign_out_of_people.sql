ALTER TABLE `people` ADD `signed_out_at` text;
