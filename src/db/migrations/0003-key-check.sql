-- A known text under the installation's secret key: tells at the start, rather than at the first secret, that a process
-- was given another key than the one this database was filled with.
create table key_check (
  id boolean primary key default true check (id),
  ciphertext bytea not null
);

-- What a rotation of the key rewrites (db/rotate-key.ts): every column with this comment.
comment on column key_check.ciphertext is 'encrypted';
comment on column servers.ssh_private_key is 'encrypted';
comment on column projects.environment_variables is 'encrypted';
comment on column server_databases.password is 'encrypted';
comment on column idempotency_keys.answer is 'encrypted';
