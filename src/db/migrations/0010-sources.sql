-- Accounts at git hosts that an organization connected ---------------------------------------------------------------

create table source_providers (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations on delete cascade,
  name text not null check (length(name) between 1 and 100),
  provider_type text not null check (provider_type in ('git_host_a', 'git_host_b', 'git_host_c')),
  -- JSON: token, and what else the host asks for
  credentials bytea not null,
  -- the account that they belong to, as the host reported it
  account text not null,
  -- hidden from its users; the row is deleted when what was registered with it was removed at the host
  deleted_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
comment on column source_providers.credentials is 'encrypted';
create index source_providers_of_organization on source_providers (organization_id, provider_type, id);

-- What a project's source has besides its repository -----------------------------------------------------------------

create table project_sources (
  project_id bigint primary key references projects on delete cascade,
  -- the account that its users chose; null: the organization's first of the host
  provider_id bigint references source_providers on delete set null,
  -- The address of the webhook ends with a token. It is looked up by the digest.
  hook_digest bytea not null unique,
  hook_token bytea not null,
  hook_secret bytea not null,
  -- the organization that the registrations were last made for: a server may move to another one with its projects
  organization_id bigint not null,
  -- A member who does not reach every project chose the repository: the organization's account does nothing with it until one
  -- who does has confirmed it.
  needs_confirmation boolean not null default false,
  created_at timestamptz not null default clock_timestamp()
);
comment on column project_sources.hook_token is 'encrypted';
comment on column project_sources.hook_secret is 'encrypted';

-- Deployments that wait until the host has the deploy key of their server, once each, and until when at most; null: no longer.
create table held_deployments (
  deployment_id bigint primary key references deployments on delete cascade,
  project_id bigint not null references projects on delete cascade,
  held_until timestamptz
);
create index held_deployments_of_project on held_deployments (project_id) where held_until is not null;

-- The public halves of the keys that servers generated for their projects; during a move a project is on two.
create table deploy_keys (
  project_id bigint not null references projects on delete cascade,
  server_id bigint not null references servers on delete cascade,
  public_key text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (project_id, server_id)
);

-- What is, or is to be, registered at a git host. Rows outlive their project until it is removed there.
create table source_registrations (
  id bigint generated always as identity primary key,
  project_id bigint not null,
  provider_id bigint not null references source_providers on delete cascade,
  -- owner/name at the host
  repository text not null,
  kind text not null check (kind in ('key', 'hook')),
  -- the public key, or the digest of the token in the hook's address
  subject text not null,
  state text not null default 'wanted' check (state in ('wanted', 'registered', 'obsolete')),
  -- the host's id; null until the host has answered with it
  remote_id text,
  -- of what was registered: a new secret or address is noticed by it
  fingerprint text,
  -- how git fetches the repository with the key, as the host reports it
  ssh_url text,
  error text,
  -- whether the first answer is there, whatever it was
  is_settled boolean not null default false,
  obsolete_since timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  unique (project_id, provider_id, repository, kind, subject),
  check (state <> 'registered' or remote_id is not null),
  check ((state = 'obsolete') = (obsolete_since is not null))
);
create index source_registrations_of_provider on source_registrations (provider_id);

-- Pushes that webhooks reported --------------------------------------------------------------------------------------

-- Distinguishes a repeated delivery from a new one.
create table hook_deliveries (
  project_id bigint not null references projects on delete cascade,
  identity text not null,
  received_at timestamptz not null default clock_timestamp(),
  primary key (project_id, identity)
);
create index hook_deliveries_by_age on hook_deliveries (received_at);

create table pushes (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  branch text not null,
  before_commit text,
  after_commit text not null,
  -- as the host reports it; null where it does not
  pushed_at timestamptz,
  deployment_id bigint references deployments on delete set null,
  received_at timestamptz not null default clock_timestamp()
);
create index pushes_of_project on pushes (project_id, branch, id desc);
create index pushes_by_age on pushes (received_at);
-- For each deployment that is deleted with its project.
create index pushes_of_deployment on pushes (deployment_id) where deployment_id is not null;
