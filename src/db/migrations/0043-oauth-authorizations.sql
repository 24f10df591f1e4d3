-- Programs of other sites that ask for a token in a browser (OAuth 2.1 with PKCE). They wait like programs on devices do.
alter table device_authorizations
  -- of such a program the authorization code: null until a person has approved it
  alter column device_digest drop not null,
  -- SHA-256 of the session that opened the page: only this one may answer
  add column session_digest bytea,
  -- the address of the document that describes the program
  add column client_id text check (length(client_id) between 1 and 2000),
  -- where the browser is sent with the answer, and what the program gets back there
  add column redirect_uri text check (length(redirect_uri) between 1 and 2000),
  add column client_state text check (length(client_state) <= 2000),
  -- base64url of the SHA-256 of the secret that the program keeps
  add column code_challenge text check (length(code_challenge) = 43),
  -- what the code was exchanged for: a second use of the code revokes it
  add column token_id bigint references tokens on delete set null,
  drop constraint device_authorizations_state_check,
  add constraint device_authorizations_state_check check (state in ('pending', 'approved', 'denied', 'collected')),
  drop constraint device_authorizations_check,
  add constraint device_authorizations_check check ((state in ('approved', 'collected')) = (organization_id is not null)),
  drop constraint device_authorizations_check1,
  add constraint device_authorizations_check1 check (
    state not in ('approved', 'collected')
    or (user_id is not null and token_name is not null and token_permissions is not null and device_digest is not null)),
  add check (num_nonnulls(session_digest, client_id, redirect_uri, code_challenge) in (0, 4)),
  add check (client_id is not null or (device_digest is not null and state <> 'collected' and client_state is null)),
  add check (token_id is null or state = 'collected');
create index device_authorizations_of_token on device_authorizations (token_id);
