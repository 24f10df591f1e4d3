-- Invitations of the last day, also those that were replaced or revoked: each may have been a mail -----------------------------

create table sent_invitations (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations on delete cascade,
  invited_by bigint not null references users on delete cascade,
  email text not null,
  created_at timestamptz not null default clock_timestamp()
);
create index sent_invitations_by_age on sent_invitations (created_at);
