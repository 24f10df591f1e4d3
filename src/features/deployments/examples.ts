import type { Static } from "typebox";
import { type Planned, planOf } from "../../http/dry-run.ts";
import type { LogPage } from "../../http/logs.ts";
import { success } from "../../http/schemas.ts";
import type { DeploymentPage, DeploymentReply, DeploymentSlice, RollbackCandidates } from "./schema.ts";

// Examples for the API documentation.

const deployment: Static<typeof DeploymentPage>["data"][number] = {
  id: 102,
  tenant_id: 1,
  project_id: 7,
  server_id: 1,
  initiated_by: 2,
  git_branch: "main",
  git_tag: null,
  commit_id: "9fceb02d0ae598e95dc970b74767f19372d61af8",
  commit_url: "https://github.com/acme/shop/commit/9fceb02d0ae598e95dc970b74767f19372d61af8",
  commit_author: "Alice",
  commit_message: "Show prices with taxes",
  description: "Requested by hand",
  rolling_of: null,
  status: 1,
  process_type: "deployment",
  error: null,
  warnings: [],
  proposed_settings: null,
  duration: 41,
  created_at: "2026-03-01T10:20:30.123456Z",
  updated_at: "2026-03-01T10:21:12.123456Z",
  started_at: "2026-03-01T10:20:31.123456Z",
  ended_at: "2026-03-01T10:21:12.123456Z",
  project: { id: 7, name: "Shop" },
  server: { id: 1, name: "web-1" },
  initiator: { type: "user", id: 2, name: "Bob" },
  is_live: true,
  waiting_for: null,
  compare_url:
    "https://github.com/acme/shop/compare/1f7ec5eb49d5a2ba4d0d9a5f6a8f2a2ad0d0b1a3...9fceb02d0ae598e95dc970b74767f19372d61af8",
};

export const deploymentSliceExample: Static<typeof DeploymentSlice> = { data: [deployment], next_before: null };

export const deploymentPageExample: Static<typeof DeploymentPage> = {
  current_page: 1,
  data: [deployment],
  per_page: 15,
  total_pages: 1,
  total_items: 1,
};

export const deploymentExample: Static<typeof DeploymentReply> = {
  ...deployment,
  output: {
    process_type: "deployment",
    client_payload: ["added 112 packages in 4s"],
    system_payload: ["Node 22.21.1: .nvmrc asks for 22."],
  },
  steps: [
    {
      key: "fetch-source",
      label: "Fetch the source",
      phase: "build",
      status: "completed",
      started_at: "2026-03-01T10:20:31.123456Z",
      finished_at: "2026-03-01T10:20:31.935456Z",
      duration_ms: 812,
      detail: null,
      first_line: 1,
      lines: 1,
    },
  ],
};

export const logPageExample: Static<typeof LogPage> = success({
  data: [
    { offset: 0, step: "fetch-source", audience: "system", text: "Node 22.21.1: .nvmrc asks for 22.\n", first_line: 1 },
  ],
  next: 35,
  has_more: false,
  is_complete: true,
  total_lines: 1,
  total_bytes: 34,
});

export const rollbackCandidatesExample: Static<typeof RollbackCandidates> = [
  {
    id: 98,
    commit_id: "1f7ec5eb49d5a2ba4d0d9a5f6a8f2a2ad0d0b1a3",
    git_branch: "main",
    git_tag: null,
    description: "Push by Alice",
    created_at: "2026-02-26T09:12:13.123456Z",
  },
];

export const plannedRollbackExample: Static<typeof Planned> = {
  status: "success",
  message: "The release of deployment 98 would become live, as it is on the server.",
  plan: planOf({
    needs_build: false,
    release: {
      deployment_id: 98,
      release_id: 98,
      git_branch: "main",
      git_tag: null,
      commit_id: "1f7ec5eb49d5a2ba4d0d9a5f6a8f2a2ad0d0b1a3",
      is_kept: true,
    },
  }),
};
