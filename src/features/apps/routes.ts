import { type Route, route } from "../../http/route.ts";
import { IdParams, success } from "../../http/schemas.ts";
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
import { AppAccepted, AppList, AppReply, AppSettings, Installing, InstallRequest, InstallSteps } from "./schema.ts";

const tag = "apps";

export const appRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/servers/:id/apps",
    summary: "List the applications that can be installed on a server",
    description: "Applications that cannot be installed there are listed too, with the reasons.",
    tag,
    permission: "server:read",
    params: IdParams,
    reply: AppList,
    handle: async (ctx, { params }) => success({ data: await showApps(ctx, params.id) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/projects/install",
    summary: "Install a catalog application",
    description:
      "Creates a project, its database and its site, and installs the newest version. An empty password is generated. " +
      "Poll the install steps until installation_status is 1 or 2.",
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
        inputs: { site_title: "Our blog", admin_email: "alice@example.com" },
      },
    },
    check: checkInstallation,
    handle: async (ctx, { body }) => success(await installApp(ctx, body)),
  }),
  route({
    method: "GET",
    path: "/api/v1/projects/:id/install-steps",
    summary: "Read the progress of an application's installation",
    tag,
    permission: "project:read",
    params: IdParams,
    reply: InstallSteps,
    handle: async (ctx, { params }) => success({ data: await showInstallSteps(ctx, params.id) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/projects/:id/install/retry",
    summary: "Retry the failed installation of an application",
    description: "It starts from the top. The database of the first attempt is emptied and used again.",
    tag,
    permission: "project:create",
    params: IdParams,
    status: 202,
    reply: AppAccepted,
    errors: { refused: "The installation did not fail, or the server cannot host the application any more." },
    handle: async (ctx, { params }) => success(await retryInstallation(ctx, params.id)),
  }),
  route({
    method: "GET",
    path: "/api/v1/projects/:id/app",
    summary: "Read the details of an application, with its credentials",
    tag,
    permission: "project:update",
    params: IdParams,
    reply: AppReply,
    handle: async (ctx, { params }) => success({ data: await showApp(ctx, params.id) }),
  }),
  route({
    method: "PUT",
    path: "/api/v1/projects/:id/app",
    summary: "Change whether an application is updated automatically",
    tag,
    permission: "project:update",
    params: IdParams,
    body: AppSettings,
    reply: AppReply,
    errors: { refused: "The application cannot be updated in place." },
    handle: async (ctx, { params, body }) => success({ data: await changeApp(ctx, params.id, body) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/projects/:id/app/update",
    summary: "Update an application to its newest version",
    description:
      "The application's own updater works on a copy of the release, which then replaces it. When a step fails, the former version " +
      "serves as before; app_version is read again afterwards.",
    tag,
    permission: "project:update",
    params: IdParams,
    status: 202,
    reply: AppAccepted,
    errors: {
      refused: "The application cannot be updated in place, is not installed, or is being updated.",
      unavailable: "The mirror that lists the versions does not answer.",
    },
    handle: async (ctx, { params }) => success(await updateApp(ctx, params.id)),
  }),
];
