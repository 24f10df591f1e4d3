import { PageQuery } from "../../../http/pagination.ts";
import { type Route, route } from "../../../http/route.ts";
import { IdParams, success } from "../../../http/schemas.ts";
import { createGroup, deleteGroup, showGroup, showGroups, updateGroup } from "./actions.ts";
import { groupExample, groupPageExample, groupReplyExample } from "./examples.ts";
import {
  GroupCreated,
  GroupDeleted,
  GroupPage,
  GroupReply,
  GroupRequest,
  GroupUpdate,
  GroupUpdated,
} from "./schema.ts";

export const groupRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/project-groups",
    summary: "List project groups",
    description:
      "By name, without regard to case, 25 on a page. `projects_count` counts the projects in your reach. A restricted " +
      "membership gets the groups with a project in its reach, and the empty ones.",
    permission: "project:read",
    query: PageQuery,
    reply: GroupPage,
    examples: { reply: groupPageExample },
    handle: (ctx, { query }) => showGroups(ctx, query),
  }),
  route({
    method: "POST",
    path: "/api/v1/project-groups",
    summary: "Create a project group",
    description:
      "A group makes several projects the environments of one application, such as production and staging. It begins empty: " +
      "put projects into it with `project_group_id` of `POST /projects` or `PUT /projects/:id`. Names need not be unique.",
    permission: "project:update",
    body: GroupRequest,
    status: 201,
    reply: GroupCreated,
    examples: {
      body: { name: "Shop", description: "The shop in all of its environments" },
      reply: success({ message: "The project group Shop was created.", data: groupExample }),
    },
    handle: async (ctx, { body }) => success(await createGroup(ctx, body)),
  }),
  route({
    method: "GET",
    path: "/api/v1/project-groups/:id",
    summary: "Read a project group with its projects",
    description: "`projects` are those in your reach, by id.",
    permission: "project:read",
    params: IdParams,
    reply: GroupReply,
    examples: { reply: groupReplyExample },
    handle: async (ctx, { params }) => success({ data: await showGroup(ctx, params.id) }),
  }),
  route({
    method: "PUT",
    path: "/api/v1/project-groups/:id",
    record: "/api/v1/project-groups/:id",
    summary: "Rename a project group or describe it",
    description: "Omitted fields keep their values; `description: null`, or an empty one, removes the description.",
    permission: "project:update",
    params: IdParams,
    body: GroupUpdate,
    reply: GroupUpdated,
    examples: {
      body: { name: "Shop" },
      reply: success({ message: "The project group Shop was updated.", ...groupExample, data: groupExample }),
    },
    handle: async (ctx, { params, body }) => success(await updateGroup(ctx, params.id, body)),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/project-groups/:id",
    summary: "Delete a project group",
    description:
      "Its projects stay as they are, without a group; `ungrouped_projects` is their number. Projects out of your reach are not " +
      "changed: the group remains for the members who see them.",
    permission: "project:update",
    params: IdParams,
    reply: GroupDeleted,
    examples: {
      reply: success({
        message: "The project group Shop was deleted. 1 project was ungrouped.",
        ungrouped_projects: 1,
      }),
    },
    handle: async (ctx, { params }) => success(await deleteGroup(ctx, params.id)),
  }),
];
