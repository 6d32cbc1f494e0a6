ALTER TABLE `webhooks` ADD `challenge_id` text;
