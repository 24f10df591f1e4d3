-- What kind of failure connection_error is, for clients that show each differently; null: none of these, or it is connected.
alter table servers
  add column connection_problem text check (connection_problem in ('unreachable', 'key_refused', 'host_key_changed'));
