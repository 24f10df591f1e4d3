import { type Route, route } from "../../http/route.ts";
import { Acknowledgement, IdParams, success } from "../../http/schemas.ts";
import {
  changeApp,
  checkInstallation,
  installApp,
  retryInstallation,
  showApp,
  showApps,
  showInstallSteps,
  updateApp,
} from "./actions.ts";
import { appExample, appListExample, installingExample, installStepsExample } from "./examples.ts";
import {
  AppList,
  AppOrSummary,
  AppQuery,
  AppReply,
  AppSettings,
  Installing,
  InstallRequest,
  InstallSteps,
} from "./schema.ts";

const tag = "apps";

export const appRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/servers/:id/apps",
    summary: "List the applications that can be installed on a server",
    description:
      "The whole catalog. An application that cannot be installed on the server is listed too, with " +
      "`unavailable_reasons`. `inputs` are the questions that the installation asks; a password that is `generated` " +
      "may be left empty.",
    tag,
    permission: "server:read",
    params: IdParams,
    reply: AppList,
    examples: { reply: appListExample },
    handle: async (ctx, { params }) => success({ data: await showApps(ctx, params.id) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/projects/install",
    summary: "Install a catalog application",
    description:
      "Creates a project with its site, and its database if the application needs one, and installs the newest " +
      "version that runs on the server. The answer comes at once: poll `GET /projects/:id/install-steps` until " +
      "`installation_status` is 1 or 2.\n\n" +
      "* `inputs` are those of `GET /servers/:id/apps`. None is required: each has a default or is generated, and " +
      "unknown ones are ignored with a warning. `GET /projects/:id/app` shows them.\n" +
      "* `name` is unique in the organization (422), and `domain` a name of no other project of the installation.\n" +
      "* A server that cannot host the application gets 422 on `server_id`, with the reasons.\n" +
      "* An application has no repository and no deployments; domains, certificates, jobs, logs and moves are those " +
      "of any project. It cannot be put behind a load balancer.",
    tag,
    permission: "project:create",
    body: InstallRequest,
    status: 201,
    reply: Installing,
    examples: {
      body: {
        name: "Blog",
        domain: "blog.example.com",
        server_id: 1,
        app_slug: "app_cms",
        inputs: { site_title: "Our blog" },
      },
      reply: installingExample,
    },
    check: checkInstallation,
    handle: async (ctx, { body }) => success(await installApp(ctx, body)),
  }),
  route({
    method: "GET",
    path: "/api/v1/projects/:id/install-steps",
    summary: "Read the progress of an application's installation",
    description:
      "`installation_status` is 1 when the application serves, and 2 when a step failed: its `detail` has the " +
      "reason, and a retry starts from the top. `duration_ms` is 0 before a step begins, and grows while it runs. " +
      "The project of a repository has no steps.",
    tag,
    permission: "project:read",
    params: IdParams,
    reply: InstallSteps,
    examples: { reply: installStepsExample },
    handle: async (ctx, { params }) => success({ data: await showInstallSteps(ctx, params.id) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/projects/:id/install/retry",
    summary: "Retry the failed installation of an application",
    description:
      "It starts from the top, in the background, with the inputs of the first attempt: `installation_status` is 0 " +
      "again. The database of the first attempt is emptied and used again. Only for an installation that failed " +
      "(`installation_status` 2).",
    tag,
    permission: "project:create",
    params: IdParams,
    status: 202,
    reply: Acknowledgement,
    errors: { refused: "The installation did not fail, or the server cannot host the application any more." },
    examples: { reply: success({ message: "WordPress is being installed again, from the top." }) },
    handle: async (ctx, { params }) => success(await retryInstallation(ctx, params.id)),
  }),
  route({
    method: "GET",
    path: "/api/v1/projects/:id/app",
    summary: "Read the details of an application, with its credentials",
    description:
      "`credentials` are those that the installation set, also after someone has changed them in the application. " +
      "`database` is null for an application without a database of its own. The audit log records who reads them; " +
      "`view=summary` leaves both out. `update_available` is compared once a day. The project of a repository gets 404.",
    tag,
    permission: "project:update",
    isAudited: ({ view }) => view !== "summary",
    params: IdParams,
    query: AppQuery,
    reply: AppOrSummary,
    examples: { reply: appExample },
    handle: async (ctx, { params, query }) => {
      const { credentials, database, ...summary } = await showApp(ctx, params.id);
      return success({ data: query.view === "summary" ? summary : { ...summary, credentials, database } });
    },
  }),
  route({
    method: "PUT",
    path: "/api/v1/projects/:id/app",
    summary: "Change whether an application is updated automatically",
    description:
      "With `minor`, Longshore updates the application within the line of versions that is installed, such as 6.9.3 " +
      "to 6.9.4, when it finds one. It looks once a day. An application that cannot be updated in place accepts " +
      "`off` only.",
    tag,
    permission: "project:update",
    params: IdParams,
    body: AppSettings,
    reply: AppReply,
    errors: { refused: "The application cannot be updated in place." },
    examples: { body: { automatic_updates: "minor" }, reply: appExample },
    handle: async (ctx, { params, body }) => success({ data: await changeApp(ctx, params.id, body) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/projects/:id/app/update",
    summary: "Update an application to its newest version",
    description:
      "In the background, to the newest version that Longshore has and that the installed one can be updated to; " +
      "`last_update` of `GET /projects/:id/app` shows the outcome. The application's own updater works on a copy of " +
      "the release, which then replaces it, and its database is copied before. When a step fails, the former " +
      "version serves as before. An update to the installed version is carried out too: it repairs changed files. " +
      "Refused while the application is installed, updated, moved, restarted or given its new address. The project " +
      "of a repository gets 404.",
    tag,
    permission: "project:update",
    params: IdParams,
    status: 202,
    reply: Acknowledgement,
    errors: {
      refused: "The application cannot be updated in place, is not installed, or is being updated.",
      unavailable: "The mirror that lists the versions does not answer.",
    },
    examples: { reply: success({ message: "WordPress is being updated to 7.0.1." }) },
    handle: async (ctx, { params }) => success(await updateApp(ctx, params.id)),
  }),
];
