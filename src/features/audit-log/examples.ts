import type { Static } from "typebox";
import type { AuditEntry } from "./schema.ts";

// Examples in the documentation of the API.

export const entry: Static<typeof AuditEntry> = {
  id: 42,
  user_id: 1,
  user_email: "alice@example.com",
  token_id: 4,
  token_name: "CI",
  ip: "198.51.100.7",
  action: "PUT /api/v1/projects/:id",
  summary: "Change a project",
  subjects: ["project:7"],
  subject_names: { "project:7": "Shop" },
  fields: ["name", "git_repository.branch"],
  request_id: "req-0123456789abcdef",
  client: { kind: "cli", name: "longshore", version: "0.3.0" },
  created_at: "2026-03-01T10:20:30.123456Z",
};
