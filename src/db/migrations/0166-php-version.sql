-- The version of PHP that a project's releases are made for and run with; null: the server's own.
alter table projects add column php_version text check (php_version ~ '^[0-9]+[.][0-9]+$');
