-- Tables that no query reads ---------------------------------------------------------------------------------------------

drop table clean_ups;

-- The frameworks are a table in the code (features/projects/frameworks.ts); its ids from 1 are what a project refers to.
alter table projects drop constraint projects_framework_id_fkey;
drop table frameworks;
alter table projects add constraint projects_framework check (framework_id between 1 and 10);
