-- Whether someone has switched the protection on or off. Until then the console and the command line keep servers with live projects.
alter table servers add column delete_protection_is_chosen boolean not null default false;
update servers set delete_protection_is_chosen = true where delete_protection;
