-- The confirmations of dangerous calls over MCP that were used: each is valid once, in every process. Kept as long as they are valid.
create table mcp_confirmations (
  id uuid primary key,
  used_at timestamptz not null default now()
);
