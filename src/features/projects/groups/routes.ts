import { PageQuery } from "../../../http/pagination.ts";
import { type Route, route } from "../../../http/route.ts";
import { IdParams, success } from "../../../http/schemas.ts";
import { createGroup, deleteGroup, showGroup, showGroups, updateGroup } from "./actions.ts";
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
    description: "By name. Projects out of your reach are not counted.",
    permission: "project:read",
    query: PageQuery,
    reply: GroupPage,
    handle: (ctx, { query }) => showGroups(ctx, query),
  }),
  route({
    method: "POST",
    path: "/api/v1/project-groups",
    summary: "Create a project group",
    permission: "project:update",
    body: GroupRequest,
    status: 201,
    reply: GroupCreated,
    examples: { body: { name: "Shop", description: "The shop in all of its environments" } },
    handle: async (ctx, { body }) => success(await createGroup(ctx, body)),
  }),
  route({
    method: "GET",
    path: "/api/v1/project-groups/:id",
    summary: "Read a project group with its projects",
    permission: "project:read",
    params: IdParams,
    reply: GroupReply,
    handle: async (ctx, { params }) => success({ data: await showGroup(ctx, params.id) }),
  }),
  route({
    method: "PUT",
    path: "/api/v1/project-groups/:id",
    summary: "Rename a project group or describe it",
    description: "Omitted fields keep their values.",
    permission: "project:update",
    params: IdParams,
    body: GroupUpdate,
    reply: GroupUpdated,
    examples: { body: { name: "Web shop" } },
    handle: async (ctx, { params, body }) => success(await updateGroup(ctx, params.id, body)),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/project-groups/:id",
    summary: "Delete a project group",
    description: "Its projects stay as they are, without a group.",
    permission: "project:update",
    params: IdParams,
    reply: GroupDeleted,
    handle: async (ctx, { params }) => success(await deleteGroup(ctx, params.id)),
  }),
];
