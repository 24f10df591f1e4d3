-- What a project changes of its PHP: the wanted values, and those that its server took last, to which a refused change goes back.
alter table projects add column php jsonb not null default '{}';
alter table projects add column php_accepted jsonb;
-- Why the last change was taken back.
alter table projects add column php_refusal text;
