-- What a web server decides on is any change of a site: `before` has the values that the change replaced, of the domains or of the
-- settings. The former password of a site is restored as well.
alter table domain_changes add column basic_auth_hash bytea;
comment on column domain_changes.basic_auth_hash is 'encrypted';
