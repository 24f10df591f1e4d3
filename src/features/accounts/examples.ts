import type { Static } from "typebox";
import type { Me, NewToken, Session, Token, TokenRequest } from "./schema.ts";

// Examples in the documentation of the API.

export const account: Static<typeof Me>["data"] = {
  id: 1,
  name: "Alice",
  email: "alice@example.com",
  current_organization_id: 1,
  organizations: [{ id: 1, name: "Acme", role: "Owner", plan: "business" }],
  organization: {
    id: 1,
    name: "Acme",
    role: "Owner",
    permissions: ["deployment:create", "project:read"],
    restriction: null,
    limits: { servers: null, monitors_of_type: null, monitor_interval_seconds: 60 },
  },
  two_factor: true,
  passkeys: 1,
  sends_mail: true,
};

export const tokenRequest: Static<typeof TokenRequest> = {
  name: "Deploy from CI",
  permissions: ["deployment:create", "project:read"],
};

export const token: Static<typeof Token> = {
  id: 4,
  name: "Deploy from CI",
  prefix: "lsh_0123",
  permissions: ["deployment:create", "project:read"],
  organization_id: null,
  is_bound: false,
  expires_at: null,
  last_used_at: null,
  created_at: "2026-03-01T10:20:30.123456Z",
};

export const newToken: Static<typeof NewToken> = { ...token, token: "lsh_0123456789abcdefghijABCDEFGHIJ0123456789" };

export const session: Static<typeof Session> = {
  id: 9,
  ip: "198.51.100.7",
  user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
  is_current: true,
  signed_in_at: "2026-03-01T10:20:30.123456Z",
  last_used_at: "2026-03-02T08:00:00.000000Z",
  expires_at: "2026-03-09T08:00:00.000000Z",
};
