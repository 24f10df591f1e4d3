import { type Route, route } from "../../http/route.ts";
import { success } from "../../http/schemas.ts";
import { patchPreferences, showPreferences } from "./actions.ts";
import { PreferencesReply, PreferencesRequest } from "./schema.ts";

const example = { preferences: { console: { sidebar: { group_by: "environment" } } } };

export const preferenceRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/api/v1/me/preferences",
    summary: "Read the account's preferences",
    description:
      "What clients stored for the account, the same in all of its organizations: an object for each of the namespaces " +
      "`console` and `mobile`. It is empty at first.",
    permission: "any",
    withoutOrganization: true,
    reply: PreferencesReply,
    examples: { reply: success(example) },
    handle: async (ctx) => success({ preferences: await showPreferences(ctx) }),
  }),
  route({
    method: "PATCH",
    path: "/api/v1/me/preferences",
    summary: "Change some of the account's preferences",
    description:
      "Merged into what is stored, to any depth: keys that are not sent stay, keys set to null are deleted, lists are " +
      "replaced. The later of two changes of the same key wins. The namespaces are `console` and `mobile`; what is in " +
      "them is up to the client. At most 16 KB in all.",
    permission: "any",
    withoutOrganization: true,
    body: PreferencesRequest,
    reply: PreferencesReply,
    examples: { body: example, reply: success(example) },
    handle: async (ctx, { body }) => success({ preferences: await patchPreferences(ctx, body.preferences) }),
  }),
];
