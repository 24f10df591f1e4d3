-- Redirects by path, in their order: [{match, from, to, status, keeps_query}].
alter table sites add column redirects jsonb not null default '[]' check (jsonb_typeof(redirects) = 'array');
