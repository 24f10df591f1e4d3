import { makeKeyPair } from "../src/host/ssh/key-pair.ts";
import { credentials as cloudCredentials } from "./clouds/all.ts";
import {
  commit,
  type DeploymentFields,
  type DomainFields,
  gitToken,
  marker,
  type ProjectFields,
  type World,
} from "./route-world.ts";

// What each route needs for a trial: records to work on and a body that it accepts.

export type Params = Record<string, number | string>;

export interface Fixture {
  /** Ids for the path: records with which the route succeeds, created for this route only. */
  params?: (world: World) => Promise<Params>;
  /** A body that it accepts; called for each request, so that unique values can be unique. */
  body?: (world: World, params: Params) => Promise<object> | object;
  /**
   * The parent of the record in the path. Colleagues whose membership is restricted to other records cannot find records on
   * a server (the usual case); no other user can find a user's own records; all members see the organization's.
   */
  of?: "server" | "organization" | "user";
  /** The required fields of the query. */
  query?: string;
  /** It changes only the caller's own data, such as a pin, so that a viewer may use it. */
  isPersonal?: true;
  /** The body names records of ours: the answer to an actor who cannot reach them. */
  unreachable?: 404 | 422;
  /** It is for an installation in another state than that of the walk, which has accounts and no mail server: this counts as success. */
  answers?: 410 | 422;
  /** The answer comes from a server, and the walk over the routes has none: 503 counts as success. */
  asksServer?: true;
  /** Ids of records in a state that the route refuses; required when it documents such refusals. */
  wrongState?: (world: World) => Promise<Params>;
}

const server = async (world: World): Promise<Params> => ({ id: await world.server() });
const lostServer = async (world: World): Promise<Params> => ({ id: await world.lostServer() });
const project = async (world: World): Promise<Params> => ({ id: await world.project() });
const nodeProject = async (world: World): Promise<Params> => ({ id: await world.project({ frameworkId: 8 }) });
const phpProject = async (world: World): Promise<Params> => ({ id: await world.project({ frameworkId: 4 }) });
const sourceProvider = async (world: World): Promise<Params> => ({ id: await world.sourceProvider() });
const serverProvider = async (world: World): Promise<Params> => ({ id: await world.serverProvider() });
const app = async (world: World): Promise<Params> => ({ id: await world.app() });
const catalogApp = (slug: string, status: 0 | 1 | 2) => async (world: World) => ({
  id: await world.installedApp(slug, status),
});
const group = async (world: World): Promise<Params> => ({ id: await world.group() });
const variable = async (world: World): Promise<Params> => ({ ...(await world.variable()) });
const uninstalled = async (world: World): Promise<Params> => ({ id: await world.project({ installationStatus: 0 }) });
const deployment = (fields: DeploymentFields) => async (world: World) => ({ id: await world.deployment(fields) });

const channel = async (world: World): Promise<Params> => ({ id: await world.channel("webhook") });
const emailChannel = async (world: World): Promise<Params> => ({ id: await world.channel("email") });

const maintenanceWindow = async (world: World): Promise<Params> => ({ id: await world.maintenanceWindow() });
const statusPage = async (world: World): Promise<Params> => ({ id: await world.statusPage() });
const statusIncident = async (world: World): Promise<Params> => ({ ...(await world.statusIncident()) });
let slugs = 0;
const monitor = async (world: World): Promise<Params> => ({ id: await world.monitor() });

const certificateOf = async (world: World, source: "acme" | "custom"): Promise<Params> => {
  const projectId = await world.project();
  return { projectId, certificateId: await world.certificate(projectId, source) };
};
const certificate = (world: World) => certificateOf(world, "acme");

const acme = async ({ cast }: World): Promise<Params> => ({ id: cast.organizationId });
const lastOwner = async (world: World): Promise<Params> => ({
  id: await world.organization(),
  userId: world.cast.userIds.alice,
});

const job =
  (kind: "scheduled" | "background", fields: ProjectFields = {}) =>
  async (world: World): Promise<Params> => {
    const id = await world.project(fields);
    return { id, jobId: await world.job(kind, id) };
  };

const command = async (world: World): Promise<Params> => ({ ...(await world.command()) });
const endedCommand = async (world: World): Promise<Params> => ({ ...(await world.command({ hasEnded: true })) });

const sshKey = async (world: World): Promise<Params> => ({ id: await world.sshKey() });
const sshAccess = async (world: World): Promise<Params> => ({ ...(await world.sshAccess()) });

const databaseServer = async (world: World): Promise<Params> => ({ id: await world.databaseServer() });
const database = async (world: World): Promise<Params> => ({ ...(await world.database()) });
const movingDatabase = async (world: World): Promise<Params> => ({ ...(await world.database({ moving: true })) });
const databaseImport = async (world: World): Promise<Params> => ({ ...(await world.databaseImport()) });
const databaseUser = async (world: World): Promise<Params> => ({ ...(await world.databaseUser()) });
const movingUser = async (world: World): Promise<Params> => ({ ...(await world.databaseUser({ moving: true })) });

const waitingDevice = async (world: World): Promise<Params> => ({ userCode: (await world.device()).userCode });

const search = "?q=error";

let names = 0;
const newName = (): string => `created_${++names}`;

const domainIn = async (world: World): Promise<Params> => domainOf(world, "id", {});
const member = async (world: World): Promise<Params> => ({ ...(await acme(world)), userId: await world.member() });

/** What can be done to each kind of record. */
const actionsOf: Record<string, Fixture> = {
  "organizations/:id": { params: acme, of: "organization" },
  "organizations/:id/members/:userId": { params: member, of: "organization" },
  "notification-channels/:id": { params: channel },
  "servers/:id": { params: server },
  "server-snapshots/:id": { params: async (world) => ({ id: await world.snapshot("ready") }) },
  "server-providers/:id": { params: serverProvider, of: "organization" },
  "servers/:id/databases/:database": { params: database },
  "projects/:id": { params: project },
  "projects/:id/domains/:domainId": { params: domainIn },
  "projects/:id/scheduler-jobs/:jobId": { params: job("scheduled") },
  "projects/:id/background-jobs/:jobId": { params: job("background") },
  "projects/:projectId/certificates/:certificateId": { params: certificate },
  "projects/:id/commands/:commandId": { params: command },
  "projects/:id/app": { params: catalogApp("app_cms", 1) },
  "deployments/:id": { params: deployment({ status: 1, commit }) },
};

export const fixtures: Record<string, Fixture> = {
  ...Object.fromEntries(Object.entries(actionsOf).map(([path, fixture]) => [`GET /api/v1/${path}/actions`, fixture])),

  // Accounts
  "GET /api/v1/me": {},
  "PUT /api/v1/me": { body: () => ({ name: "Renamed" }), of: "user" },
  "GET /api/v1/me/tokens": { of: "user" },
  "POST /api/v1/me/tokens": { body: () => ({ name: "Deploy from CI", permissions: ["project:read"] }) },
  "DELETE /api/v1/me/tokens/:id": { params: async (world) => ({ id: await world.token() }), of: "user" },
  "GET /api/v1/me/sessions": { of: "user" },
  "DELETE /api/v1/me/sessions": { of: "user" },
  "DELETE /api/v1/me/sessions/:id": { params: async (world) => ({ id: await world.session() }), of: "user" },

  // Sign-in
  "GET /api/v1/setup": {},
  "POST /api/v1/setup": {
    body: () => ({
      ...{
        code: "x",
        name: "Mallory",
        email: "mallory@example.com",
        password: "correct horse",
        organization: "Mallory's",
      },
    }),
    answers: 410,
  },
  "POST /api/auth/sign-in/link": { body: async (world) => ({ token: await world.signInLink() }) },
  "POST /api/auth/request-password-reset": { body: () => ({ email: "alice@example.com" }), answers: 422 },
  "POST /api/auth/reset-password": {
    body: async (world) => ({ token: await world.mailedLink("reset_password"), newPassword: "correct horse" }),
  },
  "POST /api/auth/change-email": { body: () => ({ newEmail: "alice@example.org" }), answers: 422 },
  "POST /api/auth/verify-email": { body: async (world) => ({ token: await world.mailedLink("change_email") }) },
  "POST /api/v1/device-authorizations": { body: () => ({ client_name: "longshore on laptop" }) },
  "POST /api/v1/device-authorizations/token": {
    body: async (world) => ({ device_code: (await world.device({ isApproved: true })).deviceCode }),
  },
  "GET /api/v1/device-authorizations/:userCode": { params: waitingDevice },
  "POST /api/v1/device-authorizations/:userCode/approve": {
    params: waitingDevice,
    body: ({ cast }) => ({ name: "laptop", permissions: ["project:read"], organization_id: cast.organizationId }),
  },
  "POST /api/v1/device-authorizations/:userCode/deny": { params: waitingDevice },

  // No document is read at such an address.
  "POST /api/v1/oauth-authorizations": {
    body: () => ({ client_id: "https://127.0.0.1/client.json", redirect_uri: "https://assistant.example.net/" }),
    answers: 422,
  },

  // Preferences
  "GET /api/v1/me/preferences": { of: "user" },
  "PATCH /api/v1/me/preferences": { body: () => ({ preferences: { console: { theme: "dark" } } }), of: "user" },

  // Organizations
  "GET /api/v1/organizations": {},
  "POST /api/v1/organizations": { body: () => ({ name: "Another" }) },
  "GET /api/v1/organizations/:id": { params: acme, of: "organization" },
  "PUT /api/v1/organizations/:id": { params: acme, body: () => ({ name: "Acme" }), of: "organization" },
  "POST /api/v1/organizations/:id/switch": { params: acme, of: "organization" },
  "POST /api/v1/organizations/:id/leave": {
    params: async (world) => ({ id: await world.organization("Adam") }),
    wrongState: async (world) => ({ id: await world.organization() }),
    of: "organization",
  },
  "GET /api/v1/organizations/:id/members": { params: acme, of: "organization" },
  "GET /api/v1/organizations/:id/members/:userId": { params: member, of: "organization" },
  "PUT /api/v1/organizations/:id/members/:userId": {
    params: member,
    body: () => ({ role: "Viewer", restriction: { server_ids: [] } }),
    wrongState: lastOwner,
    of: "organization",
  },
  "DELETE /api/v1/organizations/:id/members/:userId": {
    params: member,
    wrongState: lastOwner,
    of: "organization",
  },
  "GET /api/v1/organizations/:id/invitations": { params: acme, of: "organization" },
  "POST /api/v1/organizations/:id/invitations": {
    params: acme,
    body: () => ({ email: "guest@example.com", role: "Member" }),
    of: "organization",
  },
  "DELETE /api/v1/organizations/:id/invitations/:invitationId": {
    params: async (world) => ({ ...(await acme(world)), invitationId: await world.invitation("lsi_revoked") }),
    of: "organization",
  },
  "GET /api/v1/organizations/:id/tokens": { params: acme, of: "organization" },
  "DELETE /api/v1/organizations/:id/tokens/:tokenId": {
    params: async (world) => ({ ...(await acme(world)), tokenId: await world.token(world.cast.organizationId) }),
    of: "organization",
  },
  "GET /api/v1/invitations/:token": {
    params: async (world) => {
      const token = `lsi_${"shown".repeat(8)}`;
      await world.invitation(token);
      return { token };
    },
  },
  "POST /api/v1/invitations/accept": {
    body: async (world) => {
      await world.invitation("lsi_accepted");
      return { token: "lsi_accepted", name: "Guest", password: "correct horse" };
    },
  },
  "GET /api/v1/organizations/:id/audit-log": { params: acme, of: "organization" },

  // Notification channels
  "GET /api/v1/notification-channels": {},
  "POST /api/v1/notification-channels": {
    body: async (world) => ({
      name: `${marker} channel`,
      type: "slack",
      target: "https://hooks.example.com/services/T0/B0/secret",
      on: ["deployment.failed"],
      project_ids: [await world.sharedProject()],
    }),
    unreachable: 422,
  },
  "GET /api/v1/notification-channels/:id": { params: channel },
  "PUT /api/v1/notification-channels/:id": { params: channel, body: () => ({ is_active: 0 }) },
  "DELETE /api/v1/notification-channels/:id": { params: channel },
  "POST /api/v1/notification-channels/:id/test": { params: channel, wrongState: emailChannel },
  "POST /api/v1/notification-channels/:id/secret": { params: channel, wrongState: emailChannel },
  "GET /api/v1/notification-channels/:id/deliveries": { params: channel },

  // Servers
  "GET /api/v1/servers": {},
  "POST /api/v1/servers": { body: (world) => ({ server_os: "debian_12", public_ip: world.address() }) },
  "GET /api/v1/databases": {},
  "GET /api/v1/servers/:id/databases": { params: databaseServer },
  "POST /api/v1/servers/:id/databases": {
    params: databaseServer,
    body: () => ({ name: newName() }),
    wrongState: server,
  },
  "GET /api/v1/servers/:id/databases/:database": { params: database },
  "PUT /api/v1/servers/:id/databases/:database": {
    params: database,
    body: () => ({ notes: "Orders" }),
    wrongState: movingDatabase,
  },
  "DELETE /api/v1/servers/:id/databases/:database": { params: database, wrongState: movingDatabase },
  "POST /api/v1/servers/:id/databases/:database/password": {
    params: database,
    body: () => ({ password: "a-new-password" }),
    wrongState: movingDatabase,
  },
  "GET /api/v1/servers/:id/databases/:database/connection": {
    params: database,
    wrongState: async (world) => ({ ...(await world.database({ status: 0, isOwn: true })) }),
  },
  "POST /api/v1/servers/:id/databases/:database/imports": {
    params: database,
    wrongState: movingDatabase,
    asksServer: true,
  },
  "GET /api/v1/servers/:id/databases/:database/imports/:import": { params: databaseImport },
  "GET /api/v1/servers/:id/databases/:database/dump": {
    params: database,
    wrongState: async (world) => ({ ...(await world.database({ status: 0 })) }),
    asksServer: true,
  },
  "GET /api/v1/servers/:id/unmanaged-databases": { params: databaseServer },
  "POST /api/v1/servers/:id/databases/adopt": {
    params: async (world) => ({ id: await world.foundDatabase("found_here") }),
    body: () => ({ name: "found_here" }),
    wrongState: server,
  },
  "GET /api/v1/servers/:id/databases/:database/users": { params: databaseUser },
  "POST /api/v1/servers/:id/databases/:database/users": {
    params: database,
    body: () => ({ username: newName() }),
    wrongState: movingDatabase,
  },
  "GET /api/v1/servers/:id/databases/:database/users/:user": { params: databaseUser },
  "DELETE /api/v1/servers/:id/databases/:database/users/:user": { params: databaseUser, wrongState: movingUser },
  "GET /api/v1/this-machine": {},
  "GET /api/v1/servers/:id": { params: server },
  "DELETE /api/v1/servers/:id": {
    params: server,
    wrongState: async (world) => ({ id: (await world.balanced()).balancerId }),
  },
  "PUT /api/v1/servers/:id": { params: server, body: () => ({ notes: "Renamed" }) },
  "GET /api/v1/servers/:id/setup-steps": { params: server },
  "GET /api/v1/servers/:id/setup-runs": { params: server },
  "GET /api/v1/servers/:id/setup-log": { params: server },
  "GET /api/v1/servers/:id/setup-log/search": { params: server, query: search },
  "GET /api/v1/servers/:id/setup-log/stream": { params: server },
  "POST /api/v1/servers/:id/setup/retry": { params: lostServer, wrongState: server },
  "POST /api/v1/servers/:id/setup/run": { params: server, wrongState: lostServer },
  "POST /api/v1/servers/:id/reboot": { params: server, wrongState: lostServer },
  "POST /api/v1/servers/:id/pin": { params: server, isPersonal: true },
  "DELETE /api/v1/servers/:id/pin": { params: async (world) => ({ id: await world.pinnedServer() }), isPersonal: true },
  "POST /api/v1/servers/:id/transfer-organization": {
    params: server,
    body: async (world) => ({ organization_id: await world.organization() }),
    wrongState: async (world) => {
      const id = await world.server();
      await world.deployment({ status: 0, projectId: await world.project({ serverId: id }), processType: "move" });
      return { id };
    },
  },

  "GET /api/v1/servers/:id/services": { params: server },
  "GET /api/v1/servers/:id/services/:service/credentials": {
    params: async (world) => ({ id: await world.cacheServer(), service: "redis" }),
  },

  // SSH keys of people
  "GET /api/v1/ssh-keys": { of: "organization" },
  "POST /api/v1/ssh-keys": { body: () => ({ name: "Laptop", public_key: makeKeyPair("ann").publicKey }) },
  "GET /api/v1/ssh-keys/:id": { params: sshKey, of: "organization" },
  "DELETE /api/v1/ssh-keys/:id": { params: sshKey, of: "organization" },
  "GET /api/v1/servers/:id/ssh-access": { params: sshAccess },
  "POST /api/v1/servers/:id/ssh-access": {
    params: server,
    body: async (world) => ({ ssh_key_id: await world.sshKey() }),
    wrongState: lostServer,
  },
  "DELETE /api/v1/servers/:id/ssh-access/:access": { params: sshAccess },

  // Cloud providers, and servers ordered from them
  "GET /api/v1/server-providers": { of: "organization" },
  "POST /api/v1/server-providers": {
    body: () => ({ name: "Our cloud", provider_type: "cloud_a", credentials: cloudCredentials.cloud_a }),
    of: "organization",
  },
  "GET /api/v1/server-providers/:id/options": {
    params: serverProvider,
    of: "organization",
    wrongState: async (world) => ({ id: await world.serverProvider("a-revoked-token-of-the-account") }),
  },
  "DELETE /api/v1/server-providers/:id": {
    params: serverProvider,
    of: "organization",
    wrongState: async (world) => ({ id: (await world.orderedServer()).providerId }),
  },
  "GET /api/v1/server-providers/:id/orphans": { params: serverProvider, of: "organization" },
  "GET /api/v1/server-orders": {},
  "GET /api/v1/server-orders/:id": { params: async (world) => ({ id: (await world.orderedServer()).orderId }) },
  "GET /api/v1/server-costs": {},
  "POST /api/v1/servers/:id/resize": {
    params: async (world) => ({ id: (await world.orderedServer()).serverId }),
    body: () => ({ server_type: "cx33" }),
    wrongState: server,
  },
  "POST /api/v1/servers/:id/snapshots": {
    params: async (world) => ({ id: (await world.orderedServer()).serverId }),
    body: () => ({ name: "golden" }),
    wrongState: server,
  },
  "GET /api/v1/server-snapshots": {},
  "GET /api/v1/server-snapshots/:id": { params: async (world) => ({ id: await world.snapshot("ready") }) },
  "DELETE /api/v1/server-snapshots/:id": {
    params: async (world) => ({ id: await world.snapshot("ready") }),
    wrongState: async (world) => ({ id: await world.snapshot("creating") }),
  },

  // Accounts at git hosts, and their keys and hooks
  "GET /api/v1/source-providers": { of: "organization" },
  "POST /api/v1/source-providers": {
    body: () => ({ name: "Acme", provider_type: "git_host_a", credentials: { token: gitToken } }),
    of: "organization",
  },
  "GET /api/v1/source-providers/:id": { params: sourceProvider, of: "organization" },
  "DELETE /api/v1/source-providers/:id": { params: sourceProvider, of: "organization" },
  "GET /api/v1/source-providers/:id/repositories": { params: sourceProvider, of: "organization" },
  "GET /api/v1/source-providers/:id/branches": {
    params: sourceProvider,
    query: "?repository=acme/shop",
    of: "organization",
  },
  "GET /api/v1/projects/:id/source": { params: project, wrongState: app },
  "POST /api/v1/projects/:id/source/secret": { params: project, wrongState: app },
  "POST /api/v1/projects/:id/source/register": {
    params: async (world) => {
      await world.sourceProvider();
      return { id: await world.project({ repositoryType: "git_host_a" }) };
    },
    wrongState: project,
  },
  "POST /api/v1/hooks/:source/:token": {
    params: async (world) => ({ source: "git", token: await world.hookToken() }),
    body: () => ({ ref: "refs/heads/main", after: commit }),
  },

  // Projects
  "GET /api/v1/frameworks": {},
  "GET /api/v1/projects": {},
  "GET /api/v1/projects/ids": {},
  "GET /api/v1/projects/facets": {},
  "GET /api/v1/projects/availability": { query: "?name=Shop&domain=shop.example.com" },
  "POST /api/v1/projects": {
    body: async (world) => ({
      name: `${marker} shop`,
      server_id: await world.sharedServer(),
      domain: world.domain(),
      framework_id: 10,
      git_repository: { repo: "https://git.example.com/shop.git", type: "git", branch: "main" },
    }),
    unreachable: 422,
  },
  "POST /api/v1/projects/detect": {
    body: async (world) => ({
      server_id: await world.sharedServer(),
      git_repository: { repo: "https://git.example.com/shop.git", type: "git", branch: "main" },
    }),
    unreachable: 422,
  },
  "GET /api/v1/projects/:id": { params: project },
  "PUT /api/v1/projects/:id": {
    params: project,
    body: () => ({ name: "Renamed", notes: null }),
  },
  "GET /api/v1/projects/:id/php": { params: phpProject, wrongState: nodeProject },
  "PUT /api/v1/projects/:id/php": {
    params: phpProject,
    body: () => ({ memory_limit_mb: 512 }),
    wrongState: nodeProject,
  },
  "PUT /api/v1/projects/:id/environment-variables": {
    params: project,
    body: () => ({ environment_variables: "APP_ENV=production" }),
  },
  "GET /api/v1/projects/:id/environment-variables": { params: project },
  "POST /api/v1/projects/:id/environment-variables/compare": {
    params: project,
    body: () => ({ environment_variables: "A=1" }),
  },
  "PUT /api/v1/projects/:id/environment-variables/:name": {
    params: variable,
    body: () => ({ value: "production" }),
  },
  "DELETE /api/v1/projects/:id/environment-variables/:name": {
    params: variable,
  },
  "POST /api/v1/projects/:id/pin": { params: project, isPersonal: true },
  "DELETE /api/v1/projects/:id/pin": { params: async (world) => ({ id: await world.pinned() }), isPersonal: true },
  "PUT /api/v1/projects/bulk": {
    body: async (world) => ({ project_ids: [await world.sharedProject()], environment: "staging" }),
    unreachable: 404,
  },
  "PUT /api/v1/projects/bulk/auto-deploy": {
    body: async (world) => ({ project_ids: [await world.sharedProject()], auto_deploy_is_active: 1 }),
    unreachable: 404,
  },
  "DELETE /api/v1/projects/:id/build-cache": { params: project, wrongState: uninstalled },
  "POST /api/v1/projects/:id/maintenance/toggle": { params: project, wrongState: uninstalled },
  "PUT /api/v1/projects/:id/maintenance": { params: project, body: () => ({ enabled: true }), wrongState: uninstalled },
  "GET /api/v1/projects/:id/maintenance/status": { params: project },
  "GET /api/v1/projects/:id/publish": { params: project, wrongState: uninstalled },
  "GET /api/v1/projects/:id/logs": { params: project, asksServer: true },
  "GET /api/v1/projects/:id/logs/stream": { params: project, asksServer: true },
  "DELETE /api/v1/project/:id": {
    params: project,
  },

  // Domains
  "GET /api/v1/domains": {},
  "GET /api/v1/projects/:id/domains": { params: project },
  "POST /api/v1/projects/:id/domains": {
    params: project,
    body: (world) => ({ domain: world.domain() }),
  },
  "PUT /api/v1/projects/:id/domains": {
    params: project,
    body: (world) => ({ domains: [world.domain()], www_redirect: 1 }),
  },
  "GET /api/v1/projects/:id/redirects": { params: project },
  "PUT /api/v1/projects/:id/redirects": {
    params: project,
    body: () => ({ redirects: [{ from: "/old", to: "/new" }] }),
  },
  "POST /api/v1/projects/:id/redirects/import": {
    params: project,
    body: () => ({ format: "_redirects", text: "/old /new" }),
  },
  "PUT /api/v1/projects/:id/domains/:domainId/primary": {
    params: async (world) => domainOf(world, "id", {}),
    wrongState: async (world) => domainOf(world, "id", { redirectTo: "https://example.com" }),
  },
  "PUT /api/v1/projects/:projectId/domains/:domainId/redirect": {
    params: async (world) => domainOf(world, "projectId", {}),
    body: () => ({ redirect_to: "example.com", redirect_status_code: 308 }),
    wrongState: async (world) => domainOf(world, "projectId", { isPrimary: true }),
  },
  "DELETE /api/v1/projects/:projectId/domains/:domainId": {
    params: async (world) => domainOf(world, "projectId", {}),
    wrongState: async (world) => domainOf(world, "projectId", { isPrimary: true }),
  },
  "GET /api/v1/projects/:id/check-ns": { params: project },
  "POST /api/v1/check-ns": {
    body: async (world) => ({ server_id: await world.sharedServer(), domains: [world.domain()] }),
    unreachable: 422,
  },

  // Catalog applications
  "GET /api/v1/servers/:id/apps": { params: server },
  "POST /api/v1/projects/install": {
    body: async (world) => ({
      name: `Blog ${world.domain()}`,
      domain: world.domain(),
      server_id: await world.databaseHost(),
      app_slug: "app_cms",
    }),
    unreachable: 422,
  },
  "GET /api/v1/projects/:id/install-steps": { params: catalogApp("app_cms", 0) },
  "POST /api/v1/projects/:id/install/retry": {
    params: catalogApp("app_cms", 2),
    wrongState: catalogApp("app_cms", 1),
  },
  "GET /api/v1/projects/:id/app": { params: catalogApp("app_cms", 1) },
  "PUT /api/v1/projects/:id/app": {
    params: catalogApp("app_cms", 1),
    body: () => ({ automatic_updates: "minor" }),
    wrongState: catalogApp("app_dbadmin", 1),
  },
  "POST /api/v1/projects/:id/app/update": {
    params: catalogApp("app_cms", 1),
    wrongState: catalogApp("app_dbadmin", 1),
  },

  // Scheduled and background jobs
  "GET /api/v1/projects/:id/scheduler-jobs": { params: project },
  "POST /api/v1/projects/:id/scheduler-jobs": {
    params: project,
    body: () => ({ name: "Nightly", cron_expression: "30 4 * * *", command: "true" }),
    wrongState: async (world) => ({ id: await world.projectWithJobs(50) }),
  },
  "GET /api/v1/projects/:id/scheduler-jobs/:jobId": { params: job("scheduled") },
  "PUT /api/v1/projects/:id/scheduler-jobs/:jobId": {
    params: job("scheduled"),
    body: () => ({ cron_expression: "@daily" }),
  },
  "DELETE /api/v1/projects/:id/scheduler-jobs/:jobId": { params: job("scheduled") },
  "POST /api/v1/projects/:id/scheduler-jobs/:jobId/run": {
    params: job("scheduled"),
    wrongState: job("scheduled", { installationStatus: 0 }),
  },
  "GET /api/v1/projects/:id/scheduler-jobs/:jobId/log": { params: job("scheduled"), asksServer: true },
  "GET /api/v1/projects/:id/scheduler-jobs/:jobId/log/stream": { params: job("scheduled"), asksServer: true },
  "GET /api/v1/projects/:id/background-jobs": { params: project },
  "POST /api/v1/projects/:id/background-jobs": {
    params: project,
    body: () => ({ name: "Queue", command: "true", processes: 2 }),
    wrongState: async (world) => ({ id: await world.projectWithJobs(50) }),
  },
  "GET /api/v1/projects/:id/background-jobs/:jobId": { params: job("background") },
  "PUT /api/v1/projects/:id/background-jobs/:jobId": { params: job("background"), body: () => ({ processes: 3 }) },
  "DELETE /api/v1/projects/:id/background-jobs/:jobId": { params: job("background") },
  "POST /api/v1/projects/:id/background-jobs/:jobId/restart": {
    params: job("background"),
    wrongState: job("background", { installationStatus: 0 }),
  },
  "GET /api/v1/projects/:id/background-jobs/:jobId/log": { params: job("background"), asksServer: true },
  "GET /api/v1/projects/:id/background-jobs/:jobId/log/stream": { params: job("background"), asksServer: true },

  // Commands
  "GET /api/v1/projects/:id/commands": { params: command },
  "POST /api/v1/projects/:id/commands": {
    params: project,
    body: () => ({ command: "true" }),
    wrongState: uninstalled,
  },
  "GET /api/v1/projects/:id/commands/:commandId": { params: command },
  "GET /api/v1/projects/:id/commands/:commandId/log/search": { params: command, query: search },
  "GET /api/v1/projects/:id/commands/:commandId/log/stream": { params: command },
  "POST /api/v1/projects/:id/commands/:commandId/cancel": { params: command, wrongState: endedCommand },

  // Certificates
  "POST /api/v1/certificates": {
    body: async (world, params) => {
      const project_id = Number(params.project_id ?? (await world.sharedProject()));
      return { project_id, domain_id: await world.primaryDomain(project_id) };
    },
    unreachable: 404,
    wrongState: async (world) => ({ project_id: await world.project({ installationStatus: 0 }) }),
  },
  "GET /api/v1/projects/:projectId/certificates": { params: certificate },
  "GET /api/v1/projects/:projectId/certificates/:certificateId": { params: certificate },
  "POST /api/v1/projects/:projectId/certificates/:certificateId/renew": {
    params: certificate,
    wrongState: async (world) => certificateOf(world, "custom"),
  },
  "POST /api/v1/projects/:projectId/certificates/custom": {
    params: async (world) => ({ projectId: await world.project() }),
    body: (world, { projectId }) => world.upload(Number(projectId)),
    wrongState: async (world) => ({ projectId: await world.project({ installationStatus: 0 }) }),
  },
  "DELETE /api/v1/certificates/:projectId": {
    params: certificate,
    wrongState: async (world) => ({ projectId: await world.project({ installationStatus: 0 }) }),
  },

  // Project groups
  "GET /api/v1/project-groups": {},
  "POST /api/v1/project-groups": { body: () => ({ name: "Shop" }) },
  "GET /api/v1/project-groups/:id": { params: group },
  "PUT /api/v1/project-groups/:id": { params: group, body: () => ({ name: "Shop" }) },
  "DELETE /api/v1/project-groups/:id": { params: group },

  // Deployments
  "POST /api/v1/deployments": {
    body: async (world, params) => ({ project_ids: [params.id ?? params.project_id ?? (await world.sharedProject())] }),
    unreachable: 404,
    wrongState: app,
  },
  "GET /api/v1/deployments": {},
  "GET /api/v1/projects/:id/deployments": { params: project },
  "GET /api/v1/deployments/:id": { params: deployment({ status: 1 }) },
  "GET /api/v1/deployments/:id/log": { params: deployment({ status: 1 }) },
  "GET /api/v1/deployments/:id/log/search": { params: deployment({ status: 1 }), query: search },
  "GET /api/v1/deployments/:id/log/stream": { params: deployment({ status: 1 }) },
  "GET /api/v1/deployments/:id/log.txt": { params: deployment({ status: 1 }) },
  "POST /api/v1/deployments/:id/cancel": {
    params: deployment({ status: 0 }),
    wrongState: deployment({ status: 1 }),
  },
  "POST /api/v1/deployments/:id/rerun": { params: deployment({ status: 2 }), wrongState: deployment({ status: 1 }) },
  "GET /api/v1/projects/:id/rollback-candidates": { params: project },
  "POST /api/v1/deployments/:id/rollback": {
    params: deployment({ status: 1, commit }),
    wrongState: deployment({ status: 2, commit }),
  },
  "POST /api/v1/projects/:id/move": {
    params: async (world) => ({ id: await world.movable() }),
    body: async (world) => ({ server_id: await world.server() }),
    wrongState: uninstalled,
  },
  "GET /api/v1/projects/:id/load-balancer": { params: project },
  "PUT /api/v1/projects/:id/load-balancer": {
    params: async (world) => ({ id: await world.movable() }),
    body: async (world) => ({ load_balancer_id: await world.balancer(), server_ids: [await world.server()] }),
    wrongState: uninstalled,
  },
  "DELETE /api/v1/projects/:id/load-balancer": {
    params: async (world) => ({ id: (await world.balanced()).projectId }),
    wrongState: project,
  },
  "POST /api/v1/projects/:id/recycle": {
    params: async (world) => ({ id: await world.project({ frameworkId: 8 }) }),
    wrongState: project,
  },

  // Monitors
  "GET /api/v1/monitors": {},
  "POST /api/v1/monitors": {
    body: async (world) => ({
      type: "http",
      name: `${marker} monitor`,
      monitorable_type: "App\\Models\\Project",
      monitorable_id: await world.sharedProject(),
      config: { url: "https://shop.example.com/" },
    }),
    unreachable: 404,
  },
  "GET /api/v1/monitors/options": {},
  "GET /api/v1/monitors/:id": { params: monitor },
  "PUT /api/v1/monitors/:id": { params: monitor, body: () => ({ name: "Renamed", is_active: false }) },
  "DELETE /api/v1/monitors/:id": { params: monitor },
  "GET /api/v1/monitors/:id/events": { params: monitor },
  "GET /api/v1/monitors/:id/history": { params: monitor },

  "POST /api/v1/monitors/import": {
    body: () => ({ source: "healthchecks", data: { checks: [{ name: "Unknown", timeout: 3600 }] } }),
  },

  // Maintenance windows
  "GET /api/v1/maintenance-windows": {},
  "POST /api/v1/maintenance-windows": {
    body: async (world) => ({
      name: marker,
      starts_at: "2026-01-01T00:00:00Z",
      ends_at: "2026-01-02T00:00:00Z",
      monitor_ids: [await world.monitor()],
    }),
    unreachable: 404,
  },
  "GET /api/v1/maintenance-windows/:id": { params: maintenanceWindow },
  "PUT /api/v1/maintenance-windows/:id": { params: maintenanceWindow, body: () => ({ name: "Renamed" }) },
  "DELETE /api/v1/maintenance-windows/:id": { params: maintenanceWindow },

  // Status pages
  "GET /api/v1/status-pages": {},
  "POST /api/v1/status-pages": {
    body: async (world) => ({ name: marker, slug: `page-${++slugs}`, monitors: [{ id: await world.monitor() }] }),
    unreachable: 404,
  },
  "GET /api/v1/status-pages/:id": { params: statusPage },
  "PUT /api/v1/status-pages/:id": { params: statusPage, body: () => ({ name: "Renamed" }) },
  "DELETE /api/v1/status-pages/:id": { params: statusPage },
  "GET /api/v1/status-pages/:id/incidents": { params: statusPage },
  "POST /api/v1/status-pages/:id/incidents": {
    params: statusPage,
    body: () => ({ title: marker, text: "We look into it." }),
  },
  "GET /api/v1/status-pages/:id/incidents/:incidentId": { params: statusIncident },
  "PUT /api/v1/status-pages/:id/incidents/:incidentId": { params: statusIncident, body: () => ({ title: "Renamed" }) },
  "DELETE /api/v1/status-pages/:id/incidents/:incidentId": { params: statusIncident },
  "POST /api/v1/status-pages/:id/incidents/:incidentId/updates": {
    params: statusIncident,
    body: () => ({ state: "resolved", text: "It works again." }),
  },
  "PUT /api/v1/status-pages/:id/incidents/:incidentId/updates/:updateId": {
    params: statusIncident,
    body: () => ({ text: "Corrected" }),
  },
  "DELETE /api/v1/status-pages/:id/incidents/:incidentId/updates/:updateId": { params: statusIncident },

  // Events
  "GET /api/v1/events": {},

  // Overview
  "GET /api/v1/overview": {},
  "GET /api/v1/attention": {},
  "POST /api/v1/attention/:key/snooze": {
    params: async (world) => ({ key: `deployment_failed:${await world.deployment({ status: 2 })}` }),
    body: () => ({ until: new Date(Date.now() + 3_600_000).toISOString() }),
    isPersonal: true,
  },
  "GET /api/v1/search": { query: `?q=${marker}%20server` },
  "GET /api/v1/activity": {},
};

/** A domain of a project, whose id is in the path as `name`. */
async function domainOf(world: World, name: string, fields: DomainFields): Promise<Params> {
  const projectId = await world.project();
  return { [name]: projectId, domainId: await world.domainOf(projectId, fields) };
}
