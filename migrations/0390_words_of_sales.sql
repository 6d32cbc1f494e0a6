CREATE TABLE `words_of_sales` (
	`id` text PRIMARY KEY NOT NULL,
	`words` text NOT NULL
) STRICT;
CREATE TRIGGER words_of_sales_keep_content BEFORE UPDATE ON words_of_sales
WHEN true
BEGIN
  SELECT RAISE(ABORT, 'words of sales cannot be changed');
END;
CREATE TRIGGER words_of_sales_stay BEFORE DELETE ON words_of_sales
WHEN true
BEGIN
  SELECT RAISE(ABORT, 'words of sales cannot be deleted');
END;
