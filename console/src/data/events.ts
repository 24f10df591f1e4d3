import type { OrganizationId } from "../paths.ts";
import { invalidate } from "./cache.ts";

/** What an event of the organization says about the record that changed. */
export interface Changed {
  id?: number;
  server_id: number | null;
  project_id: number | null;
  state?: string;
  deleted?: boolean;
  created_at: string;
}

/** A noun of the cache that an event makes stale: all of it, or the record that the event names by this field. */
type Stale = string | readonly [noun: string, by: "id" | "project_id" | "server_id"];

/** What an event of a noun changes on pages. The noun itself, as a record and in lists, always is. */
const stale: Record<string, readonly Stale[]> = {
  app: [["project", "project_id"], "apps"],
  attention: [],
  certificate: [["project", "project_id"], "attention", "certificates", "domains"],
  channel: ["channels", "attention"],
  command: ["commands"],
  database: ["databases"],
  deployment: [
    ["project", "project_id"],
    ["environment", "project_id"],
    "deployments",
    "projects",
    "overview",
    "attention",
  ],
  dns: ["domains", "attention"],
  domain: [["project", "project_id"], "domains", "projects"],
  group: ["groups", "projects"],
  invitation: ["invitations"],
  job: ["jobs"],
  maintenance_window: ["maintenance_windows"],
  member: ["members", "me"],
  monitor: [["project", "project_id"], "monitors", "projects", "overview", "attention"],
  order: ["orders", "servers", "attention"],
  organization: ["me", "organizations"],
  preferences: ["preferences"],
  project: ["projects", "overview", "attention", "environment"],
  provider: ["providers", "git_hosts"],
  server: [["server_setup", "id"], "servers", "overview", "attention"],
  snapshot: ["snapshots"],
  ssh_access: ["ssh_access"],
  ssh_key: ["ssh_keys"],
  status_page: ["status_pages"],
  token: ["tokens"],
};

/** Names of events that bring text of a log, which pages follow by a stream of their own. */
const ofLogs = new Set(["deployment.log", "command.log", "server.setup_log"]);

/** The keys that an event makes stale. */
export function staleKeys(organization: OrganizationId, name: string, changed: Changed): (readonly unknown[])[] {
  if (ofLogs.has(name)) return [];
  const noun = name.split(".")[0] ?? "";
  const own: Stale[] = changed.id === undefined ? [noun] : [[noun, "id"]];
  // Most changes are requests of people: each is an entry of the activity.
  return [...own, ...(stale[noun] ?? []), "activity"].flatMap((each) => {
    if (typeof each === "string") return [[organization, each]];
    const id = changed[each[1]];
    return id == null ? [] : [[organization, each[0], id]];
  });
}

/** Lists change often and cost more than a record. */
const waitMs = { record: 250, list: 1000 };
const waiting = new Map<string, ReturnType<typeof setTimeout>>();

/** Reads again what an event changed: once for the events of a moment. */
export function applyEvent(organization: OrganizationId, name: string, changed: Changed): void {
  if (name === "events.missed") return void invalidate([]);
  for (const key of staleKeys(organization, name, changed)) {
    const hash = JSON.stringify(key);
    if (waiting.has(hash)) continue;
    const refresh = () => {
      waiting.delete(hash);
      void invalidate(key);
    };
    waiting.set(hash, setTimeout(refresh, key.length > 2 ? waitMs.record : waitMs.list));
  }
}
