// The only place that knows the console's addresses.

/** An organization's id, as it is in addresses. */
export type OrganizationId = number;

const query = (values: Record<string, string | number | undefined>): string => {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  return given.length === 0 ? "" : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
};

const home = (o: OrganizationId): string => `/o/${o}`;

export type ProjectTab =
  | "deployments"
  | "domains"
  | "environment"
  | "jobs"
  | "databases"
  | "logs"
  | "commands"
  | "monitors"
  | "backups"
  | "settings";

export type ServerTab = "setup" | "metrics" | "services" | "projects" | "databases" | "apps" | "firewall" | "settings";

export type SettingsTab = "members" | "tokens" | "channels" | "git-hosts" | "providers" | "ssh-keys" | "storages";

const below = (address: string, tab?: string): string => (tab ? `${address}/${tab}` : address);

export const paths = {
  setup: () => "/setup",
  signIn: (next?: string) => `/sign-in${query({ next })}`,
  forgotPassword: () => "/forgot-password",
  resetPassword: () => "/reset-password",
  confirmEmail: () => "/confirm-email",
  invitation: (token: string) => `/invitations/${encodeURIComponent(token)}`,
  account: () => "/account",
  device: () => "/device",
  authorize: (code: string) => `/authorize#${code}`,
  organizations: () => "/",
  overview: home,
  projects: (o: OrganizationId, filters: Record<string, string | undefined> = {}) =>
    `${home(o)}/projects${query(filters)}`,
  newProject: (o: OrganizationId, source?: "app") => `${home(o)}/projects/new${query({ source })}`,
  project: (o: OrganizationId, id: number, tab?: ProjectTab) => below(`${home(o)}/projects/${id}`, tab),
  command: (o: OrganizationId, project: number, id: number) => `${home(o)}/projects/${project}/commands?command=${id}`,
  deployments: (o: OrganizationId, filters: Record<string, string | undefined> = {}) =>
    `${home(o)}/deployments${query(filters)}`,
  deployment: (o: OrganizationId, id: number, at: { line?: number; to?: number } = {}) =>
    `${home(o)}/deployments/${id}${at.line ? `#L${at.line}${at.to ? `-${at.to}` : ""}` : ""}`,
  servers: (o: OrganizationId, filters: Record<string, string | undefined> = {}) =>
    `${home(o)}/servers${query(filters)}`,
  /** With a snapshot, one that is ordered from it. */
  newServer: (o: OrganizationId, snapshot?: number) => `${home(o)}/servers/new${query({ snapshot })}`,
  server: (o: OrganizationId, id: number, tab?: ServerTab) => below(`${home(o)}/servers/${id}`, tab),
  installApp: (o: OrganizationId, server: number, app: string) => `${home(o)}/servers/${server}/apps${query({ app })}`,
  monitors: (o: OrganizationId, filters: Record<string, string | undefined> = {}) =>
    `${home(o)}/monitors${query(filters)}`,
  /** On the tab of a server or of a project; with an import, how the dump is loaded. */
  database: (o: OrganizationId, on: { server: number } | { project: number }, id: number, importId?: number) =>
    `${"server" in on ? paths.server(o, on.server, "databases") : paths.project(o, on.project, "databases")}/${id}${query({ import: importId })}`,
  monitor: (o: OrganizationId, id: number) => `${home(o)}/monitors/${id}`,
  statusPages: (o: OrganizationId) => `${home(o)}/monitors/status-pages`,
  statusPage: (o: OrganizationId, id: number) => `${home(o)}/monitors/status-pages/${id}`,
  newMonitor: (o: OrganizationId, given: { project?: number } = {}) => `${home(o)}/monitors/new${query(given)}`,
  importMonitors: (o: OrganizationId) => `${home(o)}/monitors/import`,
  maintenanceWindows: (o: OrganizationId) => `${home(o)}/monitors/windows`,
  activity: (o: OrganizationId) => `${home(o)}/activity`,
  channel: (o: OrganizationId, id: number, page = 1) =>
    `${home(o)}/settings/channels/${id}${query({ page: page > 1 ? page : undefined })}`,
  settings: (o: OrganizationId, tab?: SettingsTab) => below(`${home(o)}/settings`, tab),
};

/** An address of this console that came from outside, such as `?next=`; anything else is undefined. */
export function ownPath(given: string | null): string | undefined {
  if (!given?.startsWith("/")) return undefined;
  const url = URL.parse(given, location.origin);
  return url?.origin === location.origin ? url.pathname + url.search + url.hash : undefined;
}
