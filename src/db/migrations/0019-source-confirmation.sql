-- A member who does not reach every project chose the repository: the organization's account does nothing with it until one
-- who does has confirmed it.
alter table project_sources add column needs_confirmation boolean not null default false;
