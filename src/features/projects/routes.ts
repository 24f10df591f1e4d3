import { type Route, route } from "../../http/route.ts";
import { IdParams, success } from "../../http/schemas.ts";
import { deleteProject, showFrameworks, showProject, showProjects } from "./actions.ts";
import { clearBuildCache } from "./build-cache.ts";
import { checkDetection, detectSettings } from "./detection/actions.ts";
import { followErrors, followLog, howLogsStream } from "./live-log.ts";
import { showLog } from "./logs.ts";
import {
  AutoDeployRequest,
  AutoDeploySet,
  DetectionReply,
  DetectionRequest,
  EnvironmentNames,
  EnvironmentRequest,
  EnvironmentSaved,
  FrameworkList,
  LiveLines,
  LiveProjectLogQuery,
  LogQuery,
  LogTail,
  ProjectChanged,
  ProjectPage,
  ProjectQuery,
  ProjectReply,
  ProjectUpdate,
  VariableParams,
  VariableRequest,
} from "./schema.ts";
import { setAutoDeployOfMany } from "./settings/auto-deploy.ts";
import {
  checkEnvironment,
  checkVariable,
  setEnvironmentVariables,
  setVariable,
  showEnvironmentVariables,
  unsetVariable,
} from "./settings/environment.ts";
import { checkUpdate, updateProject } from "./settings/update.ts";

/** Creating a project also deploys it, so that route is in the deployments feature. */
export const projectRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/frameworks",
    summary: "List frameworks",
    permission: "project:read",
    reply: FrameworkList,
    handle: () => success({ data: showFrameworks() }),
  }),
  route({
    method: "GET",
    path: "/api/v1/projects",
    summary: "List projects",
    permission: "project:read",
    query: ProjectQuery,
    reply: ProjectPage,
    handle: (ctx, { query }) => showProjects(ctx, query),
  }),
  route({
    method: "POST",
    path: "/api/v1/projects/detect",
    summary: "Propose the settings of a project from its repository",
    description:
      "Reads a few files of the branch's newest commit, on the server, and proposes framework, directory, package manager, " +
      "output directory, commands, versions and background jobs, each with its reason; null: the framework's default is " +
      "right, or nothing was found. Nothing is changed. Repositories that are readable for everybody over HTTP or git; 422 says why one cannot be read.",
    permission: "project:create",
    body: DetectionRequest,
    reply: DetectionReply,
    errors: {
      unavailable: "The server cannot be reached, is looking at other repositories, or takes too long.",
    },
    examples: {
      body: { server_id: 1, git_repository: { repo: "acme/shop", type: "git_host_a", branch: "main" } },
    },
    check: checkDetection,
    handle: async (ctx, { body }) => success(await detectSettings(ctx, body)),
  }),
  route({
    method: "GET",
    path: "/api/v1/projects/:id",
    summary: "Read a project",
    permission: "project:read",
    params: IdParams,
    reply: ProjectReply,
    handle: async (ctx, { params }) => success(await showProject(ctx, params.id)),
  }),
  route({
    method: "PUT",
    path: "/api/v1/projects/:id",
    summary: "Update a project's settings",
    description:
      "Omitted fields keep their values. Nothing is deployed: build settings, `drain_timeout_seconds`, `discard_written_files` and `kept_releases_mb` apply to the next " +
      "deployment; `markdown_negotiation_enabled`, `redirect_status_code`, `max_upload_mb`, `hsts_is_enabled`, " +
      "`trusted_proxies`, `spa_fallback` and `basic_auth` are applied to the server at once: if the web server rejects them, they are " +
      "taken back, and the answer is 422. An empty command is " +
      "the framework's default again, an empty directory the root of the repository.",
    permission: "project:update",
    params: IdParams,
    body: ProjectUpdate,
    reply: ProjectChanged,
    examples: { body: { name: "Shop", custom_commands: { build: "npm run build:shop" }, max_memory: "512MB" } },
    check: checkUpdate,
    handle: async (ctx, { params, body }) => success(await updateProject(ctx, params.id, body)),
  }),
  route({
    method: "PUT",
    path: "/api/v1/projects/:id/environment-variables",
    summary: "Replace a project's environment variables",
    description:
      "They are stored encrypted and are in no answer. They apply from the next deployment on; none is started.",
    permission: "project:update",
    params: IdParams,
    body: EnvironmentRequest,
    reply: EnvironmentSaved,
    examples: { body: { environment_variables: 'APP_ENV=production\nKEY="two\nlines"\n' } },
    check: checkEnvironment,
    handle: async (ctx, { params, body }) => success(await setEnvironmentVariables(ctx, params.id, body)),
  }),
  route({
    method: "GET",
    path: "/api/v1/projects/:id/environment-variables",
    summary: "List the names of a project's environment variables",
    description: "In the order of their lines, and whether logs mask their values. Values are in no answer.",
    permission: "project:read",
    params: IdParams,
    reply: EnvironmentNames,
    handle: async (ctx, { params }) => success(await showEnvironmentVariables(ctx, params.id)),
  }),
  route({
    method: "PUT",
    path: "/api/v1/projects/:id/environment-variables/:name",
    summary: "Set one environment variable of a project, or whether logs mask it",
    description:
      "Other lines are not changed. Nothing is deployed: a value applies from the next deployment on, `masked` at once.",
    permission: "project:update",
    params: VariableParams,
    body: VariableRequest,
    reply: EnvironmentSaved,
    errors: { not_found: "The project does not exist, or has no such variable to mask." },
    examples: { body: { value: "production", masked: false } },
    check: checkVariable,
    handle: async (ctx, { params, body }) => success(await setVariable(ctx, params.id, params.name, body)),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/projects/:id/environment-variables/:name",
    summary: "Remove one environment variable of a project",
    description: "With every line that sets it. Nothing is deployed: it applies from the next deployment on.",
    permission: "project:update",
    params: VariableParams,
    reply: EnvironmentSaved,
    errors: {
      not_found: "The project does not exist, or has no such variable.",
    },
    handle: async (ctx, { params }) => success(await unsetVariable(ctx, params.id, params.name)),
  }),
  route({
    method: "PUT",
    path: "/api/v1/projects/bulk/auto-deploy",
    summary: "Turn auto-deploy of many projects on or off",
    description: "All or nothing: when one project is out of reach, none is changed.",
    permission: "project:update",
    body: AutoDeployRequest,
    reply: AutoDeploySet,
    errors: { not_found: "One of the projects does not exist, or is out of reach; the message names it." },
    examples: { body: { project_ids: [1, 2], auto_deploy_is_active: 1 } },
    handle: async (ctx, { body }) => success(await setAutoDeployOfMany(ctx, body)),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/projects/:id/build-cache",
    summary: "Clear a project's build cache",
    description:
      "The caches of build tools for each branch, and the copies of installed packages: the next deployment installs and builds " +
      "as the first one did. Waits for the server for at most 90 seconds; past that it answers 202 and continues. Releases stay " +
      "as they are.",
    permission: "deployment:create",
    params: IdParams,
    reply: ProjectChanged,
    otherStatuses: [202],
    errors: {
      refused: "The project is not installed on its server yet, or is being moved.",
      unavailable: "The server could not do it.",
    },
    handle: (ctx, { params }) => clearBuildCache(ctx, params.id),
  }),
  route({
    method: "GET",
    path: "/api/v1/projects/:id/logs",
    summary: "Read the end of a project's log",
    description:
      "What its server has now: `access` and `error` of the web server, rotated daily and kept for 14 days; `php`, what PHP logs; " +
      "`output`, what the processes of a Node project print. Secrets of the environment are masked in the latter two.",
    permission: "project:read",
    params: IdParams,
    query: LogQuery,
    reply: LogTail,
    errors: { unavailable: "The server cannot be reached, or the log cannot be read." },
    handle: async (ctx, { params, query }) => success(await showLog(ctx, params.id, query)),
  }),
  route({
    method: "GET",
    path: "/api/v1/projects/:id/logs/stream",
    summary: "Follow a project's log",
    description: `${howLogsStream} \`php\` and \`output\` can be followed, with the same lines as at /logs.`,
    permission: "project:read",
    params: IdParams,
    query: LiveProjectLogQuery,
    streams: "text/event-stream",
    reply: LiveLines,
    errors: followErrors,
    handle: (ctx, { params, query }) => followLog(ctx, params.id, query),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/project/:id",
    summary: "Delete a project",
    description:
      "Its records and deployments are deleted at once; site, processes and files are removed from the server as soon as it answers.",
    permission: "project:delete",
    params: IdParams,
    reply: ProjectChanged,
    handle: async (ctx, { params }) => success(await deleteProject(ctx, params.id)),
  }),
];
