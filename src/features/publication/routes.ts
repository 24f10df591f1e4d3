import { type Route, route } from "../../http/route.ts";
import { IdParams, success } from "../../http/schemas.ts";
import { getProject } from "../projects/actions.ts";
import { domainRoutes } from "./domains/routes.ts";
import { toggleMaintenance } from "./maintenance.ts";
import { publish } from "./publish.ts";
import { MaintenanceChanged, MaintenanceStatus, Published, PublishQuery } from "./schema.ts";

export const publicationRoutes: Route[] = [
  route({
    method: "POST",
    path: "/api/v1/projects/:id/maintenance/toggle",
    summary: "Show visitors a maintenance page, or the site again",
    description:
      "Waits for the server for at most 90 seconds; past that it answers 202 and continues. Deployments and certificates are not affected.",
    permission: "project:update",
    params: IdParams,
    reply: MaintenanceChanged,
    otherStatuses: [202],
    errors: {
      refused: "The project is not installed on its server yet, or is being moved.",
      unavailable: "The server could not do it; the mode stays as it was.",
    },
    handle: (ctx, { params }) => toggleMaintenance(ctx, params.id),
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
      "Without a deployment. Waits for the server for at most 90 seconds, and answers with nginx's output; past that it answers 202 and continues. A configuration that nginx rejects is never activated, and answered with 422 and nginx's output; `force_ssl` is taken back then.",
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
