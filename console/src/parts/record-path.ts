import { type OrganizationId, paths } from "../paths.ts";

/** A record as lists about others name it: `GET /attention`, `GET /search`, `GET /activity`. */
export interface RecordName {
  noun: string;
  id: number;
  name?: string;
  project_id?: number | null;
  server_id?: number | null;
}

type Place = (o: OrganizationId, record: RecordName) => string | undefined;

const ofProject =
  (tab: "jobs" | "commands"): Place =>
  (o, { project_id }) =>
    project_id ? paths.project(o, project_id, tab) : undefined;
const domain: Place = (o, { project_id, name }) =>
  project_id ? paths.project(o, project_id, "domains") : name && paths.projects(o, { q: name });
const server: Place = (o, { server_id }) => (server_id ? paths.server(o, server_id) : paths.servers(o));
const channel: Place = (o, { id }) => paths.channel(o, id);
const group: Place = (o, { id }) => paths.projects(o, { project_group_id: String(id) });

/** The page of each noun. The activity names some after their addresses, with a hyphen. */
const places: Record<string, Place> = {
  project: (o, { id }) => paths.project(o, id),
  app: (o, { id }) => paths.project(o, id),
  server: (o, { id }) => paths.server(o, id),
  deployment: (o, { id }) => paths.deployment(o, id),
  monitor: (o, { id }) => paths.monitor(o, id),
  job: ofProject("jobs"),
  "background-job": ofProject("jobs"),
  "scheduler-job": ofProject("jobs"),
  command: ofProject("commands"),
  domain,
  certificate: domain,
  database: (o, { id, server_id }) => (server_id ? paths.database(o, { server: server_id }, id) : paths.servers(o)),
  order: server,
  "server-order": server,
  snapshot: server,
  "server-snapshot": server,
  group,
  "project-group": group,
  provider: (o) => paths.settings(o, "providers"),
  "server-provider": (o) => paths.settings(o, "providers"),
  "source-provider": (o) => paths.settings(o, "git-hosts"),
  channel,
  "notification-channel": channel,
  ssh_key: (o) => paths.settings(o, "ssh-keys"),
  "ssh-key": (o) => paths.settings(o, "ssh-keys"),
  member: (o) => paths.settings(o, "members"),
  user: (o) => paths.settings(o, "members"),
  invitation: (o) => paths.settings(o, "members"),
  token: (o) => paths.settings(o, "tokens"),
  organization: (o) => paths.settings(o),
  status_page: (o, { id }) => paths.statusPage(o, id),
  "status-page": (o, { id }) => paths.statusPage(o, id),
  "maintenance-window": (o) => paths.maintenanceWindows(o),
};

/** The page that shows a record; undefined: none does. */
export const recordPath = (o: OrganizationId, record: RecordName): string | undefined =>
  places[record.noun]?.(o, record);
