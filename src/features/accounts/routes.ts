import { type Route, route } from "../../http/route.ts";
import { Acknowledgement, IdParams, success } from "../../http/schemas.ts";
import { checkToken, createToken, listOwnTokens, me, revokeToken } from "./actions.ts";
import { Me, TokenCreated, TokenList, TokenRequest } from "./schema.ts";

export const accountRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/api/v1/me",
    summary: "Show the account and its organizations",
    permission: "any",
    withoutOrganization: true,
    reply: Me,
    handle: (ctx) => me(ctx),
  }),
  route({
    method: "GET",
    path: "/api/v1/me/tokens",
    summary: "List the account's API tokens",
    permission: "any",
    withoutOrganization: true,
    reply: TokenList,
    handle: async (ctx) => success({ data: await listOwnTokens(ctx) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/me/tokens",
    summary: "Make an API token",
    description:
      "The value is in this answer and nowhere else. A token cannot make one with more permissions, a later expiry or a wider reach than its own.",
    permission: "any",
    withoutOrganization: true,
    showsSecret: true,
    body: TokenRequest,
    status: 201,
    reply: TokenCreated,
    errors: {
      forbidden: "The calling token does not hold all of these permissions itself, or is bound and the new one is not.",
    },
    examples: { body: { name: "Deploy from CI", permissions: ["deployment:create", "project:read"] } },
    check: checkToken,
    handle: async (ctx, { body }) =>
      success({
        message: "The token was created. Its value is shown only now.",
        data: await createToken(ctx, body),
      }),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/me/tokens/:id",
    summary: "Revoke an API token",
    description: "A token can always revoke itself; another only with `*` and bound to no organization, or a session.",
    permission: "any",
    withoutOrganization: true,
    params: IdParams,
    reply: Acknowledgement,
    errors: { forbidden: "The calling token can revoke itself only." },
    handle: async (ctx, { params }) => {
      await revokeToken(ctx, params.id);
      return success({ message: "The token was revoked." });
    },
  }),
];
