import { Type } from "typebox";
import { dryRun } from "../../http/dry-run.ts";
import { type Route, route } from "../../http/route.ts";
import { Acknowledgement, IdParams, success } from "../../http/schemas.ts";
import { deleteProject, pinProject, showFrameworks, showProject, unpinProject } from "./actions.ts";
import { showAvailability } from "./availability.ts";
import { clearBuildCache } from "./build-cache.ts";
import { checkDetection, detectSettings } from "./detection/actions.ts";
import { detectionExample, frameworkListExample, projectExample } from "./examples.ts";
import { listRoutes } from "./lists/routes.ts";
import { followErrors, followLog, howLogsStream } from "./live-log.ts";
import { showLog } from "./logs.ts";
import {
  AutoDeployRequest,
  AutoDeploySet,
  AvailabilityQuery,
  AvailabilityReply,
  BulkRequest,
  DetectionReply,
  DetectionRequest,
  EnvironmentCompared,
  EnvironmentNames,
  EnvironmentRequest,
  EnvironmentUpdate,
  FrameworkList,
  LiveLines,
  LiveProjectLogQuery,
  LogQuery,
  LogTail,
  ManyUpdated,
  ProjectChanged,
  ProjectDeleted,
  ProjectPinned,
  ProjectReply,
  ProjectUpdate,
  VariableParams,
  VariableRequest,
} from "./schema.ts";
import { checkMany, setAutoDeployOfMany, updateMany } from "./settings/bulk.ts";
import {
  checkEnvironment,
  checkVariable,
  compareEnvironment,
  setEnvironmentVariables,
  setVariable,
  showEnvironmentVariables,
  unsetVariable,
} from "./settings/environment.ts";
import { checkUpdate, updateProject } from "./settings/update.ts";

/** Creating a project also deploys it, so that route is in the deployments feature. */
const logEntry = { at: "2026-03-01T10:20:30.123456Z", text: "Listening on port 20000" };

export const projectRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/frameworks",
    summary: "List frameworks",
    description:
      "Everything that `framework_id` of a project can be. `defaults` are the commands where the project sets none, and " +
      "`public_directory` is what visitors get by default. `runtime_family` decides how releases are served; a project can " +
      "change to a framework of the same family only.",
    permission: "project:read",
    reply: FrameworkList,
    examples: { reply: frameworkListExample },
    handle: () => success({ data: showFrameworks() }),
  }),
  ...listRoutes,
  route({
    method: "GET",
    path: "/api/v1/projects/availability",
    summary: "Check whether a name and a domain are available",
    description:
      "For a form in which a project is described. A domain belongs to one project of the " +
      "installation. Names of git projects may repeat, those of catalog applications may not, and a name that no project of the " +
      "organization has can be used in place of an id. What is available now may be taken when the project is created.",
    permission: "project:create",
    query: AvailabilityQuery,
    reply: AvailabilityReply,
    examples: {
      reply: success({
        data: {
          name: { value: "Shop", is_available: true, reason: null },
          domain: {
            value: "shop.example.com",
            is_available: false,
            reason: "The domain shop.example.com belongs to another project.",
          },
        },
      }),
    },
    handle: async (ctx, { query }) => success(await showAvailability(ctx, query)),
  }),
  route({
    method: "POST",
    path: "/api/v1/projects/detect",
    summary: "Propose the settings of a project from its repository",
    description:
      "Reads a few files of the branch's newest commit, and proposes framework, directory, package manager, " +
      "output directory, commands, the version of PHP, shared paths and jobs, each with its reason. null: the framework's " +
      "default is right, or nothing was found. Nothing is changed. Every value can be sent as it is: those of " +
      "`start_command`, `build_command`, `deployment_script` and `directory` as `dev`, `build`, `custom` and `directory` of " +
      "`custom_commands`, jobs to `POST /projects/:id/scheduler-jobs` and `…/background-jobs`, the others as the fields of " +
      "`POST /projects` of the same names. `node_version` is null, since deployments read the files that name one. Where " +
      "nothing can be deployed, or something is left to decide, `notes` says what is there and what to do.\n\n" +
      "A private repository is read with a connected account: the one whose `source` is sent as `git_repository.type`, else " +
      "the organization's first at the host. Longshore itself asks the host then, and looks into 60 directories at most; the " +
      "server gets no credentials, and with the account's `source` it needs not be set up yet. A restricted membership uses an account only for repositories of projects in its reach.\n\n" +
      "Without an account the server reads it, over http, https or git without a key: an address over SSH answers 422, and so " +
      "does a repository that cannot be read, with the reason. At most 300 MB are fetched, in 60 seconds. Three repositories " +
      "are read on a server at a time; a further request gets 503.",
    permission: "project:create",
    body: DetectionRequest,
    reply: DetectionReply,
    errors: {
      unavailable: "The server cannot be reached, is looking at other repositories, or takes too long.",
    },
    examples: {
      body: { server_id: 1, git_repository: { repo: "acme/shop", type: "git_host_a", branch: "main" } },
      reply: detectionExample,
    },
    check: checkDetection,
    handle: async (ctx, { body }) => success(await detectSettings(ctx, body)),
  }),
  route({
    method: "GET",
    path: "/api/v1/projects/:id",
    summary: "Read a project",
    description:
      "The fields of the record stand beside `status`, not under `data`. Settings show what is saved; those of a release apply " +
      "from the next deployment on.\n\n" +
      "* `sync`: whether the web servers of the project match the record, since when, why not, and when that is retried.\n" +
      "* `custom_commands`: the framework's default where the project has none. The default `npm start` may be replaced in a " +
      "release by a command that works.\n" +
      "* `crash_loops`: processes that were restarted five times within ten minutes, until they run for five minutes. " +
      "Restarts during a deployment do not count.\n" +
      "* `disk`: measured by the last successful deployment, rollback or recycle. Shared files, databases, logs and the mirror " +
      "of the repository are not in it.\n" +
      "* `state`: whether it is live, and what is the matter if not. `live_deployment` is the one whose release its own server " +
      "serves, and `last_deployment` the newest of any kind on any of its servers.\n" +
      "* `has_pending_changes`: whether a setting of the release was changed since the live one was made, or an environment " +
      "variable since the live deployment, rollback or recycle began. The next deployment applies them.\n" +
      "* `monitors`: how many are up and down, without those that are pending or not active; null without `monitor:read`.\n" +
      "* `certificate`: of the web server that visitors reach; null: none was requested yet.\n" +
      "* `web_server_drift`: the last change of the site's file by hand that Longshore found on a server, and overwrote.\n" +
      "* Values of environment variables and the password of `basic_auth` are in no answer.",
    permission: "project:read",
    params: IdParams,
    reply: ProjectReply,
    examples: { reply: success(projectExample) },
    handle: async (ctx, { params }) => success(await showProject(ctx, params.id)),
  }),
  route({
    method: "POST",
    path: "/api/v1/projects/:id/pin",
    summary: "Pin a project for oneself",
    description:
      "Shown to the calling account alone, as `is_pinned`, in every client. A pinned project stays pinned when the request is " +
      "repeated, and until the membership ends.",
    permission: "project:read",
    params: IdParams,
    reply: ProjectPinned,
    examples: { reply: success({ is_pinned: true }) },
    handle: async (ctx, { params }) => success(await pinProject(ctx, params.id)),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/projects/:id/pin",
    summary: "Unpin a project",
    description: "For the calling account alone. A project that is not pinned stays so.",
    permission: "project:read",
    params: IdParams,
    reply: ProjectPinned,
    examples: { reply: success({ is_pinned: false }) },
    handle: async (ctx, { params }) => success(await unpinProject(ctx, params.id)),
  }),
  route({
    method: "PUT",
    path: "/api/v1/projects/:id",
    record: "/api/v1/projects/:id",
    summary: "Update a project's settings",
    description:
      "Omitted fields keep their values. Nothing is deployed: what a release is made of applies to the next deployment.\n\n" +
      "* `markdown_negotiation_enabled`, `redirect_status_code`, `max_upload_mb`, `hsts_is_enabled`, `trusted_proxies`, " +
      "`spa_fallback` and `basic_auth` are applied at once. The request waits for the web server for up to 15 seconds, and " +
      "`message` has the result. If the web server rejects them, they are taken back and the answer is 422; the other " +
      "settings of the request stay, which the message says.\n" +
      "* An empty command is the framework's default again, and so are null and an empty value of `output_directory` and " +
      "`health_status`; an empty directory is the root of the repository.\n" +
      "* `shared_directories` and `shared_files` are paths inside the release. They add to those of the framework, such as " +
      "`storage`: `!storage` switches that off, and `storage/app` replaces it. A path that begins with an exclamation mark " +
      "is `./!name`.\n" +
      "* `max_memory` is at least 64 MB: `512MB`, `2GB`, `1.5 GB`; null or empty: no limit.\n" +
      "* `git_repository.type` can be the `source` of a connected account, such as `source_4`: the record then has the type " +
      "of its host. Another type renews the webhook's secret. A repository with a password in its address is refused, since " +
      "everyone who can read the project would see it.\n" +
      "* `trusted_proxies` are believed about visitors' addresses (`X-Forwarded-For`) and schemes (`X-Forwarded-Proto`). They need " +
      "not have the organization's load balancers, which are trusted from the next publication on.\n" +
      "* A framework can be changed within its runtime family. A catalog application keeps its framework, and has no " +
      "repository, auto-deploy, deployment in place or `php_version` (422).",
    permission: "project:update",
    params: IdParams,
    body: ProjectUpdate,
    reply: ProjectChanged,
    examples: {
      body: { name: "Shop", custom_commands: { build: "npm run build:shop" }, max_memory: "512MB" },
      reply: success({ message: "The project was updated.", project_id: 7 }),
    },
    check: checkUpdate,
    handle: async (ctx, { params, body }) => success(await updateProject(ctx, params.id, body)),
  }),
  route({
    method: "PUT",
    path: "/api/v1/projects/:id/environment-variables",
    record: "/api/v1/projects/:id",
    summary: "Replace a project's environment variables",
    description:
      "`environment_variables` is the text of a `.env` file, which replaces all of them. It is stored encrypted, and no " +
      "answer has its values. It applies from the next deployment, rollback or recycle on; none is started.\n\n" +
      "A `.env` in the repository stays: its lines come first, these after them, and the last line with a name counts. " +
      "References to other variables are filled in, and together the values may then have 1 MiB. In double quotes, " +
      "`` \\` `` is not an escape. Lines that are not valid are named by their numbers, at most 50 of them (422), and so is a " +
      "variable that processes cannot have, by its name, such as `PPID`, which shells set themselves.",
    permission: "project:update",
    params: IdParams,
    body: EnvironmentUpdate,
    reply: Acknowledgement,
    examples: {
      body: { environment_variables: 'APP_ENV=production\nKEY="two\nlines"\n' },
      reply: success({
        message: "The environment variables were saved. They apply from the next deployment or recycle on.",
      }),
    },
    check: checkEnvironment,
    handle: async (ctx, { params, body }) => success(await setEnvironmentVariables(ctx, params.id, body)),
  }),
  route({
    method: "GET",
    path: "/api/v1/projects/:id/environment-variables",
    summary: "List the names of a project's environment variables",
    description:
      "In the order of their lines. `masked`: whether logs mask the value or a part of it, by default depending on name and " +
      "value. `is_live` is false for a value that was set after the live release got its environment, and while nothing is " +
      "live. Values are in no answer.",
    permission: "project:read",
    params: IdParams,
    reply: EnvironmentNames,
    examples: {
      reply: success({
        data: [
          {
            name: "APP_ENV",
            masked: false,
            updated_at: "2026-03-01T10:20:30.123000Z",
            updated_by: { id: 1, name: "Alice" },
            is_live: true,
          },
          { name: "APP_KEY", masked: true, updated_at: null, updated_by: null, is_live: false },
        ],
      }),
    },
    handle: async (ctx, { params }) => success(await showEnvironmentVariables(ctx, params.id)),
  }),
  route({
    method: "POST",
    path: "/api/v1/projects/:id/environment-variables/compare",
    summary: "Compare a text with a project's environment variables",
    description:
      "Which variables the text of a `.env` file would add, change and remove if it replaced the present one; nothing is " +
      "changed. Values are compared as programs receive them, so that comments, quotes and the order make no difference, and " +
      "no answer has them. A text that could not be saved is refused with the same sentences (422).",
    permission: "project:update",
    params: IdParams,
    body: EnvironmentRequest,
    reply: EnvironmentCompared,
    examples: {
      body: { environment_variables: "APP_ENV=staging\nMAIL_HOST=mail.example.com\n" },
      reply: success({ data: { added: ["MAIL_HOST"], changed: ["APP_ENV"], removed: ["APP_KEY"], unchanged: 0 } }),
    },
    check: checkEnvironment,
    handle: async (ctx, { params, body }) => success(await compareEnvironment(ctx, params.id, body)),
  }),
  route({
    method: "PUT",
    path: "/api/v1/projects/:id/environment-variables/:name",
    record: "/api/v1/projects/:id",
    summary: "Set one environment variable of a project, or whether logs mask it",
    description:
      "Replaces the last line with the name, or adds one; other lines and comments stay. `value` is what programs receive, " +
      "and is quoted where needed. `masked` decides whether logs mask it, and null is the default again; at least one of " +
      "the two is required. A variable that processes cannot have, such as `PPID`, is refused (422). Nothing is deployed: a " +
      "value applies from the next deployment or recycle on, `masked` at once.",
    permission: "project:update",
    params: VariableParams,
    body: VariableRequest,
    reply: Acknowledgement,
    errors: { not_found: "The project does not exist, or has no such variable to mask." },
    examples: {
      body: { value: "production" },
      reply: success({ message: "APP_ENV was set. It applies from the next deployment or recycle on." }),
    },
    check: checkVariable,
    handle: async (ctx, { params, body }) => success(await setVariable(ctx, params.id, params.name, body)),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/projects/:id/environment-variables/:name",
    summary: "Remove one environment variable of a project",
    description:
      "Removes every line that sets it; other lines and comments stay. Nothing is deployed: it applies from the next " +
      "deployment on.",
    permission: "project:update",
    params: VariableParams,
    reply: Acknowledgement,
    errors: {
      not_found: "The project does not exist, or has no such variable.",
    },
    examples: {
      reply: success({ message: "APP_ENV was removed. It applies from the next deployment or recycle on." }),
    },
    handle: async (ctx, { params }) => success(await unsetVariable(ctx, params.id, params.name)),
  }),
  route({
    method: "PUT",
    path: "/api/v1/projects/bulk/auto-deploy",
    summary: "Turn auto-deploy of many projects on or off",
    description:
      "With auto-deploy, a push to the project's branch queues a deployment. All or nothing: when one project is out of " +
      "reach, or a catalog application is to have it (422), none is changed. A repeated id counts once in `updated_count`.",
    permission: "project:update",
    body: AutoDeployRequest,
    reply: AutoDeploySet,
    errors: { not_found: "One of the projects does not exist, or is out of reach; the message names it." },
    examples: { body: { project_ids: [7, 8], auto_deploy_is_active: 1 }, reply: success({ updated_count: 2 }) },
    handle: async (ctx, { body }) => success(await setAutoDeployOfMany(ctx, body)),
  }),
  route({
    method: "PUT",
    path: "/api/v1/projects/bulk",
    summary: "Set the group or the environment of many projects",
    description:
      "null removes the project from its group, or its label; what is left out stays, and at least one of the two is required. " +
      "All or nothing: when one project is out of reach, none is changed. A repeated id counts once in `updated_count`.",
    permission: "project:update",
    body: BulkRequest,
    reply: ManyUpdated,
    errors: { not_found: "One of the projects does not exist, or is out of reach; the message names it." },
    examples: {
      body: { project_ids: [7, 8], project_group_id: 3, environment: "staging" },
      reply: success({ updated_count: 2 }),
    },
    check: checkMany,
    handle: async (ctx, { body }) => success(await updateMany(ctx, body)),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/projects/:id/build-cache",
    summary: "Clear a project's build cache",
    description:
      "Deletes the caches of build tools for all branches, and the copies of installed packages: the next deployment " +
      "installs and builds as the first one did. Releases and the downloads of package managers stay. The request waits for " +
      "the server, or for all servers of a balanced project, for at most 90 seconds; past that it answers 202 and " +
      "continues. Concurrent requests share one run.",
    permission: "deployment:create",
    params: IdParams,
    reply: ProjectChanged,
    otherStatuses: [202],
    errors: {
      refused: "The project is not installed on its server yet, or is being moved.",
      unavailable: "The server could not do it.",
    },
    examples: { reply: success({ message: "The build cache was cleared.", project_id: 7 }) },
    handle: (ctx, { params }) => clearBuildCache(ctx, params.id),
  }),
  route({
    method: "GET",
    path: "/api/v1/projects/:id/logs",
    summary: "Read the end of a project's log",
    description:
      "Reads the last `lines` from the server at this moment; a server that does not answer gets 503.\n\n" +
      "* `access` and `error`: the logs of the web server, rotated daily and kept for 14 days; of a balanced project, those " +
      "of its load balancer unless `server_id` names another server.\n" +
      "* `php`: what PHP logs; `output`: what the processes of a Node project print, other projects get 422. Both are kept " +
      "for a month, within a gigabyte for all projects of the server, and shown with the secrets of environment variables " +
      "masked.\n" +
      "* `app`: the newest file `*.log` in `storage/logs` or `var/log` of the release, where Laravel and Symfony write, with the " +
      "one before it where their names have dates. Secrets are masked. The project's user reads it, so that a link in its place shows nothing.\n" +
      "* `entries` has the same lines with their times. `q` and `since` choose lines before the last `lines` of them are taken. A search " +
      "goes back 64 MB in `access` and `error`, and the last 900 KB or 20,000 lines in the others, which are masked first.",
    permission: "project:read",
    params: IdParams,
    query: LogQuery,
    reply: LogTail,
    errors: { unavailable: "The server cannot be reached, or the log cannot be read." },
    examples: {
      reply: success({ data: { type: "output" as const, lines: ["Listening on port 20000"], entries: [logEntry] } }),
    },
    handle: async (ctx, { params, query }) => success(await showLog(ctx, params.id, query)),
  }),
  route({
    method: "GET",
    path: "/api/v1/projects/:id/logs/stream",
    summary: "Follow a project's log",
    description: `${howLogsStream} The lines are those of \`/logs\`; \`since\` is for the earlier ones only.`,
    permission: "project:read",
    params: IdParams,
    query: LiveProjectLogQuery,
    streams: "text/event-stream",
    reply: LiveLines,
    errors: followErrors,
    examples: { reply: { lines: ["Listening on port 20000"], left_out: 0, entries: [logEntry] } },
    handle: (ctx, { params, query }) => followLog(ctx, params.id, query),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/project/:id",
    summary: "Delete a project",
    description:
      "Its records and deployments are deleted at once, with the databases that belong to it, and a deployment under way is " +
      "cancelled. Site, processes, databases and files, shared ones too, are removed from its servers in the background, as " +
      "soon as these answer, and its webhook and key from a connected git host. Detach a database from the project before, " +
      "if it is to stay.\n\n" +
      "With `dry_run` nothing is deleted, and `plan.lost` has what would be.",
    permission: "project:delete",
    params: IdParams,
    query: Type.Object({ dry_run: dryRun }),
    reply: ProjectDeleted,
    examples: {
      reply: success({ message: "Shop was deleted. What it left on the server is being removed.", project_id: 7 }),
    },
    handle: async (ctx, { params, query }) => success(await deleteProject(ctx, params.id, query.dry_run === true)),
  }),
];
