-- Whether unknown addresses of a static project get its index page; null: as its deployments find.
alter table projects add column spa_fallback boolean;
