import { type Route, route } from "../../http/route.ts";
import { IdParams, isOn, success } from "../../http/schemas.ts";
import { getProject } from "../projects/actions.ts";
import { publish } from "./actions.ts";
import { domainRoutes } from "./domains/routes.ts";
import { changeMaintenance } from "./maintenance.ts";
import { redirectRoutes } from "./redirects/routes.ts";
import {
  MaintenanceChanged,
  MaintenanceRequest,
  MaintenanceStatus,
  MaintenanceToggle,
  Published,
  PublishQuery,
} from "./schema.ts";

const maintenanceRules =
  "Visitors get 503 with `Retry-After`, from the load balancer if there is one. Certificates, deployments and jobs work as usual; " +
  "a deployment is verified by its release instead of its front page. The request waits for the server for at most 90 seconds; " +
  "past that it answers 202 with the mode before, and the change continues. A server that cannot be reached within a minute gets " +
  "503, and the mode stays.";

const maintenanceExample = success({ message: "Visitors see the maintenance page.", maintenance_mode: true });

const maintenanceErrors = {
  refused: "The project is not installed on its server yet, or is being moved.",
  unavailable: "The server could not do it; the mode stays as it was.",
};

export const siteRoutes: Route[] = [
  route({
    method: "POST",
    path: "/api/v1/projects/:id/maintenance/toggle",
    summary: "Show visitors a maintenance page, or the site again",
    description: `Changes to the other of the two; with \`enabled\`, to that one, as \`PUT\` does. ${maintenanceRules}`,
    permission: "project:update",
    params: IdParams,
    body: MaintenanceToggle,
    reply: MaintenanceChanged,
    otherStatuses: [202],
    errors: maintenanceErrors,
    examples: { body: { enabled: true }, reply: maintenanceExample },
    handle: (ctx, { params, body: { enabled } }) =>
      changeMaintenance(ctx, params.id, "toggle_maintenance", enabled === undefined ? undefined : isOn(enabled)),
  }),
  route({
    method: "PUT",
    path: "/api/v1/projects/:id/maintenance",
    summary: "Set whether visitors see a maintenance page",
    description: `Repeated, it changes nothing and answers at once. ${maintenanceRules}`,
    permission: "project:update",
    params: IdParams,
    body: MaintenanceRequest,
    reply: MaintenanceChanged,
    otherStatuses: [202],
    errors: maintenanceErrors,
    examples: { body: { enabled: true }, reply: maintenanceExample },
    handle: (ctx, { params, body }) => changeMaintenance(ctx, params.id, "set_maintenance", isOn(body.enabled)),
  }),
  route({
    method: "GET",
    path: "/api/v1/projects/:id/maintenance/status",
    summary: "Read whether a project is in maintenance",
    description: "As the server reported it last; `maintenance_mode` of the project's record is the same.",
    permission: "project:read",
    params: IdParams,
    reply: MaintenanceStatus,
    examples: { reply: success({ maintenance_mode: false }) },
    handle: async (ctx, { params }) => {
      const { maintenance_mode } = (await getProject(ctx, params.id)).site;
      return success({ maintenance_mode });
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/projects/:id/publish",
    summary: "Publish a project's web-server configuration again",
    description:
      "Writes the site from the present records, without a deployment, and has nginx load it. The request waits for the " +
      "server for at most 90 seconds, and answers with nginx's output; past that it answers 202 and continues. A GET that " +
      "changes something: it has no HEAD, and a session has to prove its origin.\n\n" +
      "* A configuration that nginx rejects gets 200 with `status: failed` and nginx's output. The former one stays live, " +
      "and `force_ssl` is taken back.\n" +
      "* `force_ssl=1` enables SSL. A project without a certificate then gets one, which the answer does not wait for; " +
      "`POST /certificates` does.\n" +
      "* `force_ssl=0` disables SSL and keeps the certificate: enabled again, it is served at once.\n" +
      "* What was changed by hand in the site's file is saved beside it before it is overwritten, and named in " +
      "`system_output`.",
    permission: "project:update",
    changes: true,
    params: IdParams,
    query: PublishQuery,
    reply: Published,
    otherStatuses: [202],
    errors: { refused: "The project is not installed on its server yet, or the web server rejects its site." },
    examples: {
      reply: success({
        message: "The web server serves the project.",
        nginx_response: { ok: true, system_output: [] },
      }),
    },
    handle: (ctx, { params, query }) => publish(ctx, params.id, query.force_ssl),
  }),
  ...domainRoutes,
  ...redirectRoutes,
];
