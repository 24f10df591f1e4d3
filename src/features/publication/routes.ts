import { type Route, route } from "../../http/route.ts";
import { IdParams, isOn, success } from "../../http/schemas.ts";
import { getProject } from "../projects/actions.ts";
import { domainRoutes } from "./domains/routes.ts";
import { changeMaintenance } from "./maintenance.ts";
import { publish } from "./publish.ts";
import {
  MaintenanceChanged,
  MaintenanceRequest,
  MaintenanceStatus,
  MaintenanceToggle,
  Published,
  PublishQuery,
} from "./schema.ts";

const waits =
  "Waits for the server for at most 90 seconds; past that it answers 202 and continues. Deployments and certificates are not affected.";

const maintenanceErrors = {
  refused: "The project is not installed on its server yet, or is being moved.",
  unavailable: "The server could not do it; the mode stays as it was.",
};

export const publicationRoutes: Route[] = [
  route({
    method: "POST",
    path: "/api/v1/projects/:id/maintenance/toggle",
    summary: "Show visitors a maintenance page, or the site again",
    description: `The other of the two; with \`enabled\`, this one. ${waits}`,
    permission: "project:update",
    params: IdParams,
    body: MaintenanceToggle,
    reply: MaintenanceChanged,
    otherStatuses: [202],
    errors: maintenanceErrors,
    handle: (ctx, { params, body: { enabled } }) =>
      changeMaintenance(ctx, params.id, "toggle_maintenance", enabled === undefined ? undefined : isOn(enabled)),
  }),
  route({
    method: "PUT",
    path: "/api/v1/projects/:id/maintenance",
    summary: "Set whether visitors see a maintenance page",
    description: `Repeated, it changes nothing. ${waits}`,
    permission: "project:update",
    params: IdParams,
    body: MaintenanceRequest,
    reply: MaintenanceChanged,
    otherStatuses: [202],
    errors: maintenanceErrors,
    examples: { body: { enabled: true } },
    handle: (ctx, { params, body }) => changeMaintenance(ctx, params.id, "set_maintenance", isOn(body.enabled)),
  }),
  route({
    method: "GET",
    path: "/api/v1/projects/:id/maintenance/status",
    summary: "Read whether a project is in maintenance",
    permission: "project:read",
    params: IdParams,
    reply: MaintenanceStatus,
    handle: async (ctx, { params }) => {
      const { maintenance_mode } = await getProject(ctx, params.id);
      return success({ maintenance_mode });
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/projects/:id/publish",
    summary: "Publish a project's web-server configuration again",
    description:
      "Without a deployment. Waits for the server for at most 90 seconds, and answers with nginx's output; past that it answers 202 and continues. A configuration that nginx rejects is never activated: then `status` is `failed`, and `force_ssl` is taken back.",
    permission: "project:update",
    changes: true,
    params: IdParams,
    query: PublishQuery,
    reply: Published,
    otherStatuses: [202],
    errors: { refused: "The project is not installed on its server yet, or the web server rejects its site." },
    handle: (ctx, { params, query }) => publish(ctx, params.id, query.force_ssl),
  }),
  ...domainRoutes,
];
