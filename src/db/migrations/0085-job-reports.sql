-- Where a job reports how its runs end: an address that holds a secret. The digest says whether a server has it.
alter table project_jobs
  add column report_url bytea,
  add column report_digest text check (length(report_digest) = 64),
  add check ((report_url is null) = (report_digest is null));
comment on column project_jobs.report_url is 'encrypted';
