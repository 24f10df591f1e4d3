-- What users chose for single environment variables: whether logs show the value. Others follow from name and value.
alter table projects add column environment_masking jsonb not null default '{}'
  check (jsonb_typeof(environment_masking) = 'object');
