-- A known text under the installation's secret key: tells at the start, rather than at the first secret, that a process
-- was given another key than the one this database was filled with.
create table key_check (
  id boolean primary key default true check (id),
  ciphertext bytea not null
);
