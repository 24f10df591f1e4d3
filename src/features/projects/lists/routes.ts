import { type Route, route } from "../../../http/route.ts";
import { success } from "../../../http/schemas.ts";
import { facetsExample, projectPageExample } from "../examples.ts";
import { ProjectsPage } from "../schema.ts";
import { showFacets, showProjectIds, showProjects } from "./actions.ts";
import { ProjectFacetsReply, ProjectFilterQuery, ProjectIds, ProjectIdsQuery, ProjectQuery } from "./schema.ts";

export const listRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/projects",
    summary: "List projects",
    description:
      "Whole records, as `GET /projects/:id` has them, or with `view=summary` a part of each, `ProjectSummary`; by id, 10 on a " +
      "page.\n\n" +
      "* Filters narrow the list down together: a project has to match all of them. `q` finds a part of the name, of the " +
      "repository or of any domain, in any case; `name` is the exact name.\n" +
      "* `sort=last_deployed_at` is by when the last deployment ended, or was requested while it has not. Projects without one " +
      "are last in both directions. Names are sorted as people expect: capitals and accents decide last.\n" +
      "* A total of 10,000 and more is up to a minute old.",
    permission: "project:read",
    query: ProjectQuery,
    reply: ProjectsPage,
    examples: { reply: projectPageExample },
    handle: (ctx, { query }) => showProjects(ctx, query),
  }),
  route({
    method: "GET",
    path: "/api/v1/projects/ids",
    summary: "List the ids of projects",
    description:
      "With the filters and the order of `GET /projects`, without pages: for an action on all that match. `total_items` is " +
      "larger than the number of ids when there are more than 10,000.",
    permission: "project:read",
    query: ProjectIdsQuery,
    reply: ProjectIds,
    examples: { reply: success({ data: [7, 8], total_items: 2 }) },
    handle: async (ctx, { query }) => success(await showProjectIds(ctx, query)),
  }),
  route({
    method: "GET",
    path: "/api/v1/projects/facets",
    summary: "Count projects by state, server, group and environment",
    description:
      "With the filters of `GET /projects`: each of the four counts every project of that list once. Values without a project " +
      "are left out. Without a filter of its own, a count shows what else could be chosen. Counts of a list with 10,000 projects " +
      "and more are up to a minute old.",
    permission: "project:read",
    query: ProjectFilterQuery,
    reply: ProjectFacetsReply,
    examples: { reply: facetsExample },
    handle: async (ctx, { query }) => success(await showFacets(ctx, query)),
  }),
];
