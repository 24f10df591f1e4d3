import { type Route, route } from "../../http/route.ts";
import { Acknowledgement, IdParams, success } from "../../http/schemas.ts";
import {
  checkToken,
  createToken,
  endOtherSessions,
  endSession,
  listOwnSessions,
  listOwnTokens,
  me,
  renameAccount,
  revokeToken,
} from "./actions.ts";
import { account, newToken, session, token, tokenRequest } from "./examples.ts";
import {
  AccountChanged,
  AccountRequest,
  Me,
  SessionList,
  SessionsEnded,
  TokenCreated,
  TokenList,
  TokenRequest,
} from "./schema.ts";

export const accountRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/api/v1/me",
    summary: "Show the account and its organizations",
    description:
      "Answers an account without an organization as well: `current_organization_id` is then null, and so it is when " +
      "the account has left the organization that it was in. A bound token sees only its own organization. `organization` is the " +
      "one in which this request runs, null without one.",
    permission: "any",
    withoutOrganization: true,
    reply: Me,
    examples: { reply: success({ data: account }) },
    handle: (ctx) => me(ctx),
  }),
  route({
    method: "PUT",
    path: "/api/v1/me",
    summary: "Rename the account",
    description: "The name that members of its organizations, invitations and the audit log show.",
    permission: "account",
    withoutOrganization: true,
    body: AccountRequest,
    reply: AccountChanged,
    examples: {
      body: { name: "Alice Example" },
      reply: success({ message: "The account was renamed.", data: { ...account, name: "Alice Example" } }),
    },
    handle: async (ctx, { body }) => success(await renameAccount(ctx, body)),
  }),
  route({
    method: "GET",
    path: "/api/v1/me/tokens",
    summary: "List the account's API tokens",
    description:
      "All of them, without their values; for a bound token those that are bound to the same organization. " +
      "`last_used_at` is exact to about a minute.",
    permission: "any",
    withoutOrganization: true,
    reply: TokenList,
    examples: { reply: success({ data: [token] }) },
    handle: async (ctx) => success({ data: await listOwnTokens(ctx) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/me/tokens",
    summary: "Make an API token",
    description:
      "The value is in this answer and nowhere else.\n\n" +
      "* A token cannot make one with more permissions, a later expiry or a wider reach than its own, so that a leaked " +
      "one stays narrow and expires as planned. Without `expires_at` the new one expires with the token that makes it.\n" +
      "* With `is_bound` the new token works only in `organization_id`: other organizations answer it as foreign ones " +
      "do, and `/me`, `/organizations` and `/me/tokens` do not show them. A bound token makes only such tokens, and no " +
      "organizations.\n" +
      "* Tokens outlast the token that made them, so that a program can replace its own. Revoke both after a leak.",
    permission: "any",
    withoutOrganization: true,
    showsSecret: true,
    body: TokenRequest,
    status: 201,
    reply: TokenCreated,
    errors: {
      forbidden: "The calling token does not hold all of these permissions itself, or is bound and the new one is not.",
    },
    examples: {
      body: tokenRequest,
      reply: success({ message: "The token was created. Its value is shown only now.", data: newToken }),
    },
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
    description:
      "It is refused from the next request on, in every process, and its event streams end. A token can always revoke " +
      "itself; another only with `*` and bound to no organization, or a session. The tokens that it made continue to " +
      "work.",
    permission: "any",
    withoutOrganization: true,
    params: IdParams,
    reply: Acknowledgement,
    errors: { forbidden: "The calling token can revoke itself only." },
    examples: { reply: success({ message: "The token was revoked." }) },
    handle: async (ctx, { params }) => {
      await revokeToken(ctx, params.id);
      return success({ message: "The token was revoked." });
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/me/sessions",
    summary: "List where the account is signed in",
    description:
      "The sessions that have not ended, the request's own first and then the last used: at most 200. A session ends after " +
      "seven days; `GET /api/auth/get-session` extends it once a day, which `last_used_at` shows.",
    permission: "account",
    withoutOrganization: true,
    reply: SessionList,
    examples: { reply: success({ data: [session] }) },
    handle: async (ctx) => success({ data: await listOwnSessions(ctx) }),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/me/sessions",
    summary: "Sign out everywhere else",
    description:
      "Ends all sessions of the account but the request's own; with a token all of them. They are refused from the next " +
      "request on, in every process, and their event streams end. Tokens continue to work.",
    permission: "account",
    withoutOrganization: true,
    reply: SessionsEnded,
    examples: { reply: success({ message: "The other sessions have ended.", ended: 2 }) },
    handle: async (ctx) => success({ message: "The other sessions have ended.", ended: await endOtherSessions(ctx) }),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/me/sessions/:id",
    summary: "End a session",
    description: "Signs that browser out, with its next request. The request's own session can be ended as well.",
    permission: "account",
    withoutOrganization: true,
    params: IdParams,
    reply: Acknowledgement,
    examples: { reply: success({ message: "The session has ended." }) },
    handle: async (ctx, { params }) => {
      await endSession(ctx, params.id);
      return success({ message: "The session has ended." });
    },
  }),
];
