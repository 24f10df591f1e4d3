import { type Route, route } from "../../http/route.ts";
import { IdParams, success } from "../../http/schemas.ts";
import { deleteProject, getProject, projectRecord, showFrameworks, showProjects } from "./actions.ts";
import { FrameworkList, ProjectChanged, ProjectPage, ProjectQuery, ProjectReply } from "./schema.ts";

/** Creating a project also deploys it, so that route stands with the deployments. */
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
    method: "GET",
    path: "/api/v1/projects/:id",
    summary: "Read a project",
    permission: "project:read",
    params: IdParams,
    reply: ProjectReply,
    handle: async (ctx, { params }) => success(projectRecord(await getProject(ctx, params.id))),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/project/:id",
    summary: "Delete a project",
    description:
      "Its records and deployments go at once; site, processes and files are removed from the server, as soon as it answers.",
    permission: "project:delete",
    params: IdParams,
    reply: ProjectChanged,
    handle: async (ctx, { params }) => success(await deleteProject(ctx, params.id)),
  }),
];
