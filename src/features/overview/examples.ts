import type { Static } from "typebox";
import type { Activity } from "./activity/schema.ts";
import type { AttentionItem } from "./attention/schema.ts";
import type { Overview } from "./schema.ts";
import type { SearchResult } from "./search/schema.ts";

// Examples in the documentation of the API.

export const item: Static<typeof AttentionItem> = {
  key: "deployment_failed:102",
  kind: "deployment_failed",
  severity: "critical",
  subject: { noun: "deployment", id: 102, name: "Shop" },
  server_id: 1,
  project_id: 7,
  since: "2026-03-01T10:20:30.123456Z",
  message: "npm run build failed with exit status 1.",
  operation: "postDeploymentsIdRerun",
  label: "Run again",
  params: { id: 102 },
};

export const overview: Static<typeof Overview> = {
  projects: {
    total: 24,
    live: 21,
    unreachable: 0,
    deploying: 1,
    waiting: 0,
    crashing: 0,
    in_maintenance: 1,
    failed: 1,
    not_installed: 0,
  },
  servers: { total: 3, ready: 3, installing: 0, provisioning: 0, unreachable: 0 },
  monitors: { total: 24, up: 23, down: 1, pending: 0, inactive: 0 },
  deployments: {
    running: [
      {
        id: 103,
        status: 3,
        process_type: "deployment",
        description: "Requested by Alice",
        git_branch: "main",
        git_tag: null,
        commit_id: "0123456789abcdef0123456789abcdef01234567",
        commit_message: "Show prices with tax",
        project: { id: 7, name: "Shop" },
        server: { id: 1, name: "web-1" },
        waits_for: null,
        created_at: "2026-03-01T10:20:30.123456Z",
        started_at: "2026-03-01T10:20:31.123456Z",
      },
    ],
    today: 12,
  },
};

export const found: Static<typeof SearchResult> = { noun: "project", id: 7, name: "Shop", context: "shop.example.com" };

export const activity: Static<typeof Activity> = {
  id: 42,
  user_id: 1,
  user_email: "alice@example.com",
  action: "PUT /api/v1/projects/:id",
  summary: "Change a project",
  subjects: ["project:7"],
  subject_names: { "project:7": "Shop" },
  fields: ["name"],
  created_at: "2026-03-01T10:20:30.123456Z",
};
