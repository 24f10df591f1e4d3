import {
  followLogErrors,
  howLogsAreFollowed,
  LogEvent,
  LogMatches,
  LogPage,
  logEventExample,
  logMatchesExample,
} from "../../http/logs.ts";
import { PageQuery, pageOf, paginated } from "../../http/pagination.ts";
import { type Route, route } from "../../http/route.ts";
import { IdParams, success } from "../../http/schemas.ts";
import { checkUpdate, pinServer, showServer, showServers, unpinServer, updateServer } from "./actions.ts";
import { createServer } from "./create.ts";
import {
  newServer,
  plannedOrder,
  server,
  serverRequest,
  serverUpdate,
  setup,
  setupLog,
  setupRun,
  thisMachine,
  transferRequest,
} from "./examples.ts";
import { deleteServer } from "./leaving/deletion.ts";
import { transferServer } from "./leaving/transfer.ts";
import { requestReboot } from "./reboot.ts";
import { ServerRequest, ServerUpdate } from "./requests.ts";
import {
  CreateQuery,
  DeleteQuery,
  RebootQuery,
  ServerChanged,
  ServerCreated,
  ServerDeleted,
  ServerListQuery,
  ServerPage,
  ServerPinned,
  ServerReply,
  ServerTransferred,
  ThisMachineReply,
  TransferRequest,
} from "./schema.ts";
import { serviceRoutes } from "./services/routes.ts";
import { retrySetup, runSetup, searchSetupLog, showSetup, showSetupLog, showSetupRuns } from "./setup/actions.ts";
import { followSetup } from "./setup/log-stream.ts";
import {
  SetupLogQuery,
  SetupLogSearchQuery,
  SetupLogStreamQuery,
  SetupQuery,
  SetupReply,
  SetupRunPage,
} from "./setup/schema.ts";
import { showThisMachine } from "./this-machine.ts";

const providerAway = "The cloud provider could not be reached, or asks to wait.";

export const serverRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/servers",
    summary: "List servers",
    description:
      "In the order of their ids, 10 on a page; with `sort`, those without a value are last. `load` is that of one " +
      "minute for each core, `memory` and `disk` the share in use: `-disk` begins with the fullest. Of a server that the " +
      "caller reaches only through a listed project, the list has `id` and `name`; a filter other than `q` leaves it out.",
    permission: "server:read",
    query: ServerListQuery,
    reply: ServerPage,
    examples: { reply: paginated(pageOf({}, 10), 1, [server]) },
    handle: (ctx, { query }) => showServers(ctx, query),
  }),
  route({
    method: "POST",
    path: "/api/v1/servers",
    summary: "Add a server",
    description:
      "A custom server is connected to for 24 hours (`LONGSHORE_ABANDON_AFTER_HOURS`); its setup begins once the " +
      "connect command was run on it as root. Otherwise the server is ordered with the connection `provider_id` and " +
      "the answer is 202: the order is checked with the provider first, and the machine is built in the background. " +
      "`GET /servers/:id/setup-steps` shows how far it is; `server_status` is 0 until Longshore is connected, and 10 " +
      "at the end.\n\n" +
      "* Bad fields (422) come before the plan limit (403), and that before what the provider refuses (422 on the " +
      "field, one at a time). A provider that cannot be reached gets 503. Nothing is billed before the 202.\n" +
      "* `public_ip` cannot be a loopback, link-local, unspecified, multicast or reserved address, one of a cloud's " +
      "services for its machines, or Longshore's own, unless `LONGSHORE_SERVERS_ALLOW` has it. It is checked at each " +
      "connection as well.\n" +
      "* The host key is pinned at the first connection: a reinstalled machine has another one and is rejected. The " +
      "connect command can be run twice; its key is for this server only.\n" +
      "* `snapshot_id` orders from a snapshot of the same connection and `server_os`.\n" +
      "* Without `name` the server is called `server-` and six hexadecimal digits. A server with a database engine " +
      "gets a database `longshore`, whose user has the same name.\n" +
      "* A restricted membership reaches the server that it adds: it is added to the membership.\n" +
      "* With `this_machine` the machine that Longshore runs on is added, over SSH on 127.0.0.1, with a key that its " +
      "operator made (`longshore service install --manage-this-machine`). No connect command is needed. It is an App server, once in the whole " +
      "installation, and only an Owner of the first organization whose membership is not restricted can add it (403). " +
      "`GET /this-machine` shows whether it is offered.\n" +
      "* With `dry_run` the request is checked, an order also with the provider, and nothing is added or ordered: the " +
      "answer is 200, and `plan.price` is what the machine costs, null for a custom server.",
    permission: "server:create",
    query: CreateQuery,
    body: ServerRequest,
    status: 201,
    otherStatuses: [202],
    reply: ServerCreated,
    errors: {
      forbidden: "Only an Owner of the first organization can add the machine that Longshore runs on.",
      plan_limit: "The plan allows no further server.",
      unavailable: providerAway,
    },
    examples: { body: serverRequest, reply: newServer, plan: plannedOrder },
    handle: (ctx, { body, query }) => createServer(ctx, body, query.dry_run === true),
  }),
  route({
    method: "GET",
    path: "/api/v1/this-machine",
    summary: "Show whether the machine that Longshore runs on can be added as a server",
    tag: "servers",
    description:
      "It is offered to Owners of the installation's first organization whose membership is not restricted, once its operator " +
      "has run `longshore service install --manage-this-machine`, and until it was added.",
    permission: "server:create",
    reply: ThisMachineReply,
    examples: { reply: success({ data: thisMachine }) },
    handle: async (ctx) => success({ data: await showThisMachine(ctx) }),
  }),
  route({
    method: "GET",
    path: "/api/v1/servers/:id",
    summary: "Read a server",
    description:
      "Of a server that the caller reaches only through a listed project, the answer has `id` and `name`; everything " +
      "else on it gets 404.\n\n" +
      "* `connection_error` shows why the last attempt to connect failed, or what the server waits for. It is the same " +
      "for all failures before an SSH server showed its key. `connection_problem` is its kind, for programs.\n" +
      "* `state` is the word for `server_status` and `connection_status` together. `setup` has the state and the number " +
      "of steps that need attention of the newest setup; `setup-steps` has them all.\n" +
      "* `usage` is what the server said at the check of every minute, at `measured_at`: it stays while the server does " +
      "not answer. A part that could not be read is null.\n" +
      "* `accepts_projects`: whether a project can be created on it or moved to it; `reason` is the sentence with which " +
      "that is refused.\n" +
      "* `connect_command` is there while Longshore is not connected to a custom server.\n" +
      "* `setup_version` identifies the steps of the last setup that reached its end, also one with failed steps. " +
      "`setup_is_outdated` is true when this version of Longshore, with its settings, would carry out other steps on " +
      "such a server, and when the setup did not record its version; the server's own data (time zone, addresses, the " +
      "mirror of Node) do not count. It is false before the first setup has ended, and when the distribution is no " +
      "longer supported.",
    permission: "server:read",
    params: IdParams,
    reply: ServerReply,
    examples: { reply: success({ data: server }) },
    handle: async (ctx, { params }) => success({ data: await showServer(ctx, params.id) }),
  }),
  route({
    method: "PUT",
    path: "/api/v1/servers/:id",
    record: "/api/v1/servers/:id",
    summary: "Change a server",
    description:
      "Omitted fields keep their values.\n\n" +
      "* Only Owners and Admins without a restriction change `public_ip`, `private_ip` or `ssh_port`: a server's " +
      "addresses get access to the data of the organization's other servers, after Longshore has connected to it. " +
      "`public_ip` has the rules of a new server; `private_ip` is an address of a private network.\n" +
      "* `queue_limit` is 1 to 10,000, or empty for no limit; lowering it stops nothing.\n" +
      "* A changed `timezone` is applied on the server in the background; during a setup, when that has ended.\n" +
      "* `delete_protection` makes DELETE answer 422, and protects an ordered machine at providers that can. It is " +
      "switched on at the provider before the change is saved, and off afterwards: when the provider fails to switch " +
      "it off, the answer is its error and the change is saved all the same. Repeat the request.",
    permission: "server:update",
    params: IdParams,
    body: ServerUpdate,
    reply: ServerChanged,
    errors: {
      forbidden:
        "An address or the SSH port would change, and the caller is neither Owner nor Admin, or the membership is restricted.",
      unavailable: providerAway,
    },
    examples: { body: serverUpdate, reply: success({ message: "The server was updated.", server_id: 1 }) },
    check: checkUpdate,
    handle: async (ctx, { params, body }) => success(await updateServer(ctx, params.id, body)),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/servers/:id",
    summary: "Delete a server with its projects",
    description:
      "Answers at once, and the server is in no list from then on. Deployments under way are cancelled.\n\n" +
      "* The machine of a custom server keeps running. Longshore restores the settings of its sshd and removes its own " +
      "key; both are retried for a week while the machine does not respond.\n" +
      "* The machine that Longshore itself runs on (`is_this_machine`) keeps running with Longshore, and can be added again.\n" +
      "* The machine of an ordered server is deleted at the provider in the background, with the address, volume and " +
      "firewall that were ordered with it. `GET /server-orders/:id` shows in `remaining` what is still there and why. " +
      "After a week the order is `left`, which is announced as `server.not_removed`. While the machine is being built, " +
      "its order is cancelled.\n" +
      "* With `dry_run` nothing is deleted, and `plan.lost` counts what would be: projects, their domains, certificates, " +
      "deployments, jobs, databases and monitors.\n" +
      "* `confirm` is for clients that let a person type the server's name: with another name, also an empty one, " +
      "nothing is deleted (422). Without it nothing is compared.\n" +
      "* `keep_live` also refuses (422) while projects are live on the server and its `delete_protection` was never given, " +
      "as the console and the command line do. A dry run without it has a warning in `plan.warnings` then.\n" +
      "* A protected server is not deleted (422), nor a load balancer with projects behind it, or a server whose " +
      "project is behind one.",
    permission: "server:delete",
    params: IdParams,
    query: DeleteQuery,
    reply: ServerDeleted,
    errors: {
      refused: "The server is protected, or a project is behind this load balancer, or on this server and behind one.",
    },
    examples: {
      reply: success({ message: "web-1 was deleted with its projects. The machine keeps running.", server_id: 1 }),
    },
    handle: async (ctx, { params, query }) =>
      success(
        await deleteServer(ctx, {
          id: params.id,
          confirm: query.confirm,
          keepsLive: query.keep_live,
          isDryRun: query.dry_run,
        }),
      ),
  }),
  route({
    method: "GET",
    path: "/api/v1/servers/:id/setup-steps",
    summary: "Read the steps of a server's setup",
    description:
      "Of the newest setup, or the one that `run_id` names; of an ordered server also the phases of its order, in the " +
      "phase `order`. `steps` is there with `include_steps`.\n\n" +
      "* `state` is `completed_with_failures` when steps failed, `completed_with_gaps` when some never reported, " +
      "`stalled` when every step settled and the end was never reported, `failed` when it gave up with steps left, and " +
      "`not_recorded` before the first.\n" +
      "* `attention` has the steps that failed or never reported. The step `ssh` fails while no person's key gives " +
      "access to the server: it then leaves passwords on, and its `detail` has what to do. `former-projects` names " +
      "projects that another installation left: they stay as they are, and new projects get higher numbers.\n" +
      "* `error` is a sentence: why the setup gave up, or why the server cannot be connected to. `current_step` is a " +
      "label.",
    permission: "server:read",
    params: IdParams,
    query: SetupQuery,
    reply: SetupReply,
    examples: { reply: success({ data: setup }) },
    handle: async (ctx, { params, query }) => success({ data: await showSetup(ctx, params.id, query) }),
  }),
  route({
    method: "GET",
    path: "/api/v1/servers/:id/setup-runs",
    summary: "List a server's setups",
    description:
      "The newest first, 25 on a page. `setup-steps` and `setup-log` show one of them when its `id` is sent as " +
      "`run_id`. The newest is kept for as long as the server, earlier ones and all logs for " +
      "`LONGSHORE_LOG_RETENTION_DAYS`.",
    permission: "server:read",
    params: IdParams,
    query: PageQuery,
    reply: SetupRunPage,
    examples: { reply: paginated(pageOf({}, 25), 1, [setupRun]) },
    handle: (ctx, { params, query }) => showSetupRuns(ctx, params.id, query),
  }),
  route({
    method: "GET",
    path: "/api/v1/servers/:id/setup-log",
    summary: "Read a part of the log of a server's setup",
    description:
      "Also while the setup runs: send `next` as `after` until `is_complete`. It is the log of the newest setup, or " +
      "the one that `run_id` names; a setup of another server gets 404. Each event `server.setup_step` announces that " +
      "a step began or ended, and `server.setup_log` that there is more from its `offset` on.",
    permission: "server:read",
    params: IdParams,
    query: SetupLogQuery,
    reply: LogPage,
    examples: { reply: success(setupLog) },
    handle: async (ctx, { params, query }) => success(await showSetupLog(ctx, params.id, query)),
  }),
  route({
    method: "GET",
    path: "/api/v1/servers/:id/setup-log/search",
    summary: "Search the log of a server's setup",
    description: "That of the newest setup, or the one that `run_id` names; a setup of another server gets 404.",
    permission: "server:read",
    params: IdParams,
    query: SetupLogSearchQuery,
    reply: LogMatches,
    examples: { reply: logMatchesExample },
    handle: async (ctx, { params, query }) => success(await searchSetupLog(ctx, params.id, query)),
  }),
  route({
    method: "GET",
    path: "/api/v1/servers/:id/setup-log/stream",
    summary: "Follow the log of a server's setup",
    description:
      `${howLogsAreFollowed} It is the log of the newest setup, of the one that \`run_id\` names, or of the first one as soon as ` +
      "it begins; `status` is the `state` of the setup record.",
    permission: "server:read",
    params: IdParams,
    query: SetupLogStreamQuery,
    streams: "text/event-stream",
    reply: LogEvent,
    errors: followLogErrors,
    examples: { reply: logEventExample },
    handle: (ctx, { params, query }) => followSetup(ctx, params.id, query),
  }),
  route({
    method: "POST",
    path: "/api/v1/servers/:id/setup/retry",
    summary: "Retry a server's setup",
    description:
      "For a setup that failed or stalled, has failed steps or steps that never reported, a server that was not " +
      "connected in time, or one whose order failed: its machine is ordered again, after the same checks as a new one. " +
      "A setup that completed is refused (422): use `setup/run`.\n\n" +
      "The setup is planned when it starts, with Longshore's version and settings at that time. `server_status` is 1 " +
      "until it has ended.",
    permission: "server:update",
    params: IdParams,
    status: 202,
    reply: ServerChanged,
    errors: {
      refused: "The setup is running or has completed, or the server is rebooting.",
      unavailable: providerAway,
    },
    examples: { reply: success({ message: "The setup of web-1 runs again.", server_id: 1 }) },
    handle: async (ctx, { params }) => success(await retrySetup(ctx, params.id)),
  }),
  route({
    method: "POST",
    path: "/api/v1/servers/:id/setup/run",
    summary: "Run a server's setup again",
    description:
      "After any outcome of the last one. It is planned when it starts, with Longshore's version and settings at that " +
      "time, and changes only what differs. `setup-steps` shows the progress.\n\n" +
      "`server_status` is 1 until it has ended: projects on the server keep serving and can be deployed, new ones are " +
      "refused. A setup that fails leaves it at 1, also on a server that was at 10 before.",
    permission: "server:update",
    params: IdParams,
    status: 202,
    reply: ServerChanged,
    errors: { refused: "The server was never connected to, its setup is running, or it is rebooting." },
    examples: { reply: success({ message: "The setup of web-1 runs again.", server_id: 1 }) },
    handle: async (ctx, { params }) => success(await runSetup(ctx, params.id)),
  }),
  route({
    method: "POST",
    path: "/api/v1/servers/:id/reboot",
    summary: "Reboot a server",
    description:
      "Queued. `connection_status` is 0 and `connection_error` says so until the server is back; projects are not " +
      "served for that time. A request for a server that is rebooting joins the same reboot. `server.unreachable` is " +
      "announced if the server is not back after ten minutes.\n\n" +
      "`confirm` is needed for the machine that Longshore itself runs on (`is_this_machine`), which is away with it: without " +
      "it, and with another name for any server, nothing is rebooted (422).",
    permission: "server:update",
    params: IdParams,
    query: RebootQuery,
    status: 202,
    reply: ServerChanged,
    errors: { refused: "The server was never connected to, or its setup is running." },
    examples: { reply: success({ message: "The reboot of web-1 was queued.", server_id: 1 }) },
    handle: async (ctx, { params, query }) => success(await requestReboot(ctx, params.id, query.confirm)),
  }),
  route({
    method: "POST",
    path: "/api/v1/servers/:id/pin",
    summary: "Pin a server for oneself",
    description:
      "Shown to the calling account alone, as `is_pinned`, in every client. A pinned server stays pinned when the " +
      "request is repeated. A server of which the caller sees only the name cannot be pinned (404).",
    permission: "server:read",
    params: IdParams,
    reply: ServerPinned,
    examples: { reply: success({ is_pinned: true }) },
    handle: async (ctx, { params }) => success(await pinServer(ctx, params.id)),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/servers/:id/pin",
    summary: "Unpin a server",
    description: "For the calling account alone. A server that is not pinned stays so.",
    permission: "server:read",
    params: IdParams,
    reply: ServerPinned,
    examples: { reply: success({ is_pinned: false }) },
    handle: async (ctx, { params }) => success(await unpinServer(ctx, params.id)),
  }),
  route({
    method: "POST",
    path: "/api/v1/servers/:id/transfer-organization",
    summary: "Transfer a server to another organization",
    description:
      "Its projects are transferred with it, with everything that belongs to them; project groups are not. It happens " +
      "in the request, and the projects keep serving.\n\n" +
      "* The caller has to be an Owner of the destination, with a token that is not bound. The 403 is the same for an " +
      "organization that is foreign, not owned or does not exist.\n" +
      "* The plan of the destination has to cover the server and the active monitors that come with it (403).\n" +
      "* Restrictions in the former organization lose the server and its projects, and accounts that are not in the " +
      "destination lose their pins. SSH keys are removed from it unless their person is a member of the destination " +
      "too. Webhooks of the projects get new addresses and secrets.\n" +
      "* The machine of an ordered server stays in the account that it was ordered with: `provider_id` is null in the " +
      "destination, where the server can be deleted, and neither resized nor made a snapshot of.",
    permission: "server:transfer",
    params: IdParams,
    body: TransferRequest,
    reply: ServerTransferred,
    errors: {
      forbidden: "You are no Owner of the other organization.",
      plan_limit: "The other organization's plan allows no further server.",
      refused:
        "A project is being moved from or to the server, a move is not cleared up yet, or a project is behind a load balancer with it.",
    },
    examples: {
      body: transferRequest,
      reply: success({
        message: "web-1 was transferred with its projects. They are in no project group now.",
        server_id: 1,
        organization_id: 2,
      }),
    },
    handle: async (ctx, { params, body }) =>
      success(await transferServer(ctx, { id: params.id, organizationId: body.organization_id })),
  }),
  ...serviceRoutes,
];
