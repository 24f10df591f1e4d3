-- The release that the newest update of an application makes.
alter table app_installations add column update_release integer check (update_release > 0);
