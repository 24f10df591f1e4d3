-- Where an organization is notified of what happens ------------------------------------------------------------------

create table notification_channels (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations on delete cascade,
  -- A channel of one monitor, beside those of its organization. It is part of the monitor: no list of channels has it.
  monitor_id bigint,
  name text not null check (length(name) between 1 and 100),
  type text not null check (type in ('email', 'slack', 'discord', 'telegram', 'webhook')),
  -- JSON; it holds what opens the other side, such as a bot's token
  target bytea not null,
  -- the same as readers see it
  shown_target text not null,
  -- what deliveries of a webhook are signed with
  secret bytea,
  topics text[] not null,
  -- null: of all projects, and of what belongs to none
  project_ids bigint[],
  is_active boolean not null default true,
  -- the other side asked not to be called before
  held_until timestamptz,
  last_delivery_status text check (last_delivery_status in ('queued', 'delivered', 'failed')),
  last_delivery_error text,
  last_delivery_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  check ((type = 'webhook') = (secret is not null)),
  check ((last_delivery_status is null) = (last_delivery_at is null)),
  foreign key (monitor_id, organization_id) references monitors (id, organization_id)
    on update cascade on delete cascade
);
comment on column notification_channels.target is 'encrypted';
comment on column notification_channels.secret is 'encrypted';
create index notification_channels_of_organization on notification_channels (organization_id, id);
create index notification_channels_of_monitor on notification_channels (monitor_id) where monitor_id is not null;

-- What happened, written in the transaction in which it did.
create table announcements (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations on delete cascade,
  topic text not null check (topic ~ '^[a-z_]+([.][a-z_]+)*$'),
  title text not null,
  text text not null,
  data jsonb not null,
  -- no foreign key: the project may be gone when it is delivered
  project_id bigint,
  created_at timestamptz not null default clock_timestamp()
);
create index announcements_of_organization on announcements (organization_id);
create index announcements_by_age on announcements (created_at);

-- One announcement on its way to one channel. The outcome of an attempt counts only while its number is the last one: a
-- worker that was thought dead changes nothing any more.
create table notification_deliveries (
  id bigint generated always as identity primary key,
  channel_id bigint not null references notification_channels on delete cascade,
  announcement_id bigint not null references announcements on delete cascade,
  -- a person waits for it: attempted once, and at once
  is_test boolean not null default false,
  status text not null default 'queued' check (status in ('queued', 'delivered', 'failed')),
  attempts integer not null default 0 check (attempts >= 0),
  next_attempt_at timestamptz not null default clock_timestamp(),
  -- a worker is at it; past that time, it is dead
  claimed_until timestamptz,
  answer text,
  error text,
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  unique (channel_id, announcement_id),
  check ((status = 'queued') = (ended_at is null)),
  check (status <> 'delivered' or error is null),
  check (status <> 'failed' or error is not null)
);
create index notification_deliveries_queued on notification_deliveries (channel_id, next_attempt_at)
  where status = 'queued';
create index notification_deliveries_of_announcement on notification_deliveries (announcement_id);
