-- Tokens that are refused outside of one organization -------------------------------------------------------------------------

alter table tokens add column is_bound boolean not null default false;
alter table tokens add check (not is_bound or organization_id is not null);
