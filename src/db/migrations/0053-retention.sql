-- What is old is found without reading all.
create index runs_by_end on runs (ended_at);
create index audit_log_by_time on audit_log (created_at);
