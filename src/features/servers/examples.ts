import type { Static } from "typebox";
import { type Planned, planOf } from "../../http/dry-run.ts";
import type { LogPage } from "../../http/logs.ts";
import { success } from "../../http/schemas.ts";
import type { CustomServer, ServerUpdate } from "./requests.ts";
import type { ServerCreated, ThisMachine, TransferRequest, WholeServer } from "./schema.ts";
import type { SetupReply, SetupRunPage } from "./setup/schema.ts";

// Examples in the documentation of the API.

const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE3xQq2rRUjv9bdyYEvmQDCFZoFQ9S1WVbvhpCHp1Ahm longshore";

export const serverRequest: CustomServer = { name: "web-1", server_os: "debian_13", public_ip: "192.0.2.10" };

export const newServer: Static<typeof ServerCreated> = {
  status: "provisioning",
  message:
    "The server was added. Run the connect command on it as root; its setup begins as soon as Longshore can sign in.",
  server_id: 1,
  public_key: publicKey,
  connect_command: `mkdir -p -m 700 /root/.ssh && echo '${publicKey}' >>/root/.ssh/authorized_keys`,
};

export const thisMachine: Static<typeof ThisMachine> = {
  is_offered: true,
  reason: null,
  public_ip: "192.0.2.10",
  server_os: "debian_13",
};

export const plannedOrder: Static<typeof Planned> = success({
  message: "web-2 would be ordered from Hetzner Cloud for 5.49 EUR a month without VAT.",
  plan: planOf({ price: { monthly_price_net: "5.49", monthly_price_gross: "6.53", currency: "EUR" } }),
});

export const server: Static<typeof WholeServer> = {
  id: 1,
  server_type: 0,
  environment: "production",
  is_pinned: false,
  name: "web-1",
  public_ip: "192.0.2.10",
  private_ip: null,
  ssh_port: 22,
  nat_port: 22,
  timezone: "Europe/Berlin",
  operating_system: "Debian GNU/Linux 13 (trixie)",
  connection_status: 1,
  connection_error: null,
  connection_problem: null,
  connect_command: null,
  server_status: 10,
  state: "ready",
  last_seen_at: "2026-03-01T11:04:12.402915Z",
  setup: { state: "completed", attention_count: 0 },
  usage: {
    load: { one_minute: 0.42, five_minutes: 0.38, fifteen_minutes: 0.31, cores: 2 },
    memory: { total_bytes: 4_115_066_880, available_bytes: 2_748_874_752 },
    disk: { total_bytes: 78_389_813_248, available_bytes: 61_203_480_576 },
    measured_at: "2026-03-01T11:04:12.402915Z",
  },
  accepts_projects: true,
  reason: null,
  notes: null,
  queue_limit: 2,
  monitoring_enabled: true,
  setup_version: "Zk3v9QpXr1sT_u-8",
  setup_is_outdated: false,
  provider_type: "custom",
  provider_id: null,
  delete_protection: false,
  protects_live_projects: true,
  monthly_price_net: null,
  monthly_price_gross: null,
  price_currency: null,
  projects_count: 3,
  is_this_machine: false,
  created_at: "2026-03-01 10:20:30",
  updated_at: "2026-03-01 10:26:02",
};

export const serverUpdate: ServerUpdate = { name: "web-1", queue_limit: 2 };

export const transferRequest: Static<typeof TransferRequest> = { organization_id: 2 };

const summary = { total: 46, pending: 30, running: 1, completed: 14, failed: 1, skipped: 0, unreported: 0 };

export const setup: Static<typeof SetupReply>["data"] = {
  server_id: 1,
  run_id: 51,
  recorded: true,
  state: "running",
  summary,
  phases: [{ phase: "check", label: "Check the server", total: 8, completed: 7, failed: 1, duration_ms: 1_840 }],
  attention: [
    {
      key: "memory",
      label: "Memory",
      phase: "check",
      duration_ms: 95,
      status: "failed",
      status_label: "Failed",
      detail: "412 MB of memory are too few: a server needs 512 MB, and 1 GB to build projects.",
      started_at: "2026-03-01T10:20:31.123456Z",
      finished_at: "2026-03-01T10:20:31.218456Z",
    },
  ],
  slowest: [{ key: "packages", label: "Packages", phase: "packages", duration_ms: 48_210 }],
  total_duration_ms: 61_400,
  current_step: "Swap",
  error: null,
};

export const setupRun: Static<typeof SetupRunPage>["data"][number] = {
  id: 51,
  state: "completed",
  setup_version: "Zk3v9QpXr1sT_u-8",
  summary: { total: 46, pending: 0, running: 0, completed: 46, failed: 0, skipped: 0, unreported: 0 },
  total_duration_ms: 332_000,
  error: null,
  created_at: "2026-03-01T10:20:30.123456Z",
  started_at: "2026-03-01T10:20:30.623456Z",
  ended_at: "2026-03-01T10:26:02.623456Z",
};

export const setupLog: Omit<Static<typeof LogPage>, "status"> = {
  data: [{ offset: 0, step: "memory", audience: "system", text: "3924 MB of memory.\n", first_line: 1 }],
  next: 19,
  has_more: false,
  is_complete: false,
  total_lines: 1,
  total_bytes: 19,
};
