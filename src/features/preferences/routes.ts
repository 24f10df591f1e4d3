import { type Route, route } from "../../http/route.ts";
import { success } from "../../http/schemas.ts";
import { patchPreferences, showPreferences } from "./actions.ts";
import { PreferencesReply, PreferencesRequest } from "./schema.ts";

export const preferenceRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/api/v1/me/preferences",
    summary: "Read the account's preferences",
    permission: "any",
    withoutOrganization: true,
    reply: PreferencesReply,
    handle: async (ctx) => success({ preferences: await showPreferences(ctx) }),
  }),
  route({
    method: "PATCH",
    path: "/api/v1/me/preferences",
    summary: "Change some of the account's preferences",
    description:
      "Merged into what is stored, to any depth: keys that are not sent stay, keys set to null are deleted, lists are replaced. At most 16 KB in all.",
    permission: "any",
    withoutOrganization: true,
    body: PreferencesRequest,
    reply: PreferencesReply,
    examples: { body: { preferences: { console: { sidebar: { group_by: "environment" } } } } },
    handle: async (ctx, { body }) => success({ preferences: await patchPreferences(ctx, body.preferences) }),
  }),
];
