import { type Route, route } from "../../http/route.ts";
import { IdParams, success } from "../../http/schemas.ts";
import { addKey, checkKey, deleteKey, endAccess, grantAccess, showAccess, showKey, showKeys } from "./actions.ts";
import {
  AccessGranted,
  AccessList,
  AccessParams,
  AccessRemoved,
  AccessRequest,
  SshKeyChanged,
  SshKeyDeleted,
  SshKeyPage,
  SshKeyQuery,
  SshKeyReply,
  SshKeyRequest,
} from "./schema.ts";

const keys = "/api/v1/ssh-keys";
const access = "/api/v1/servers/:id/ssh-access";
const tag = "ssh-keys";

const keyRules =
  "Your own keys need a session, or a token with `*` for all organizations. Those of the organization need organization:manage and a membership without restriction.";

export const sshKeyRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: keys,
    summary: "List SSH keys",
    description:
      "Your own ones and the organization's; with the permission server:update also those of its members, who can be let in to servers.",
    tag,
    permission: "any",
    query: SshKeyQuery,
    reply: SshKeyPage,
    handle: (ctx, { query }) => showKeys(ctx, query),
  }),
  route({
    method: "POST",
    path: keys,
    summary: "Add an SSH key",
    description: `A public key of yours, or of the organization. It gives no access before it is added to a server. ${keyRules}`,
    tag,
    permission: "any",
    body: SshKeyRequest,
    status: 201,
    reply: SshKeyChanged,
    examples: {
      body: {
        name: "Laptop",
        public_key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE3xQq2rRUjv9bdyYEvmQDCFZoFQ9S1WVbvhpCHp1Ahm ann@laptop",
      },
    },
    check: checkKey,
    handle: async (ctx, { body }) => success(await addKey(ctx, body)),
  }),
  route({
    method: "GET",
    path: `${keys}/:id`,
    summary: "Read an SSH key",
    tag,
    permission: "any",
    params: IdParams,
    reply: SshKeyReply,
    handle: async (ctx, { params }) => success({ data: await showKey(ctx, params.id) }),
  }),
  route({
    method: "DELETE",
    path: `${keys}/:id`,
    summary: "Delete an SSH key",
    description: `It is removed from every server that has it. ${keyRules} A colleague's key is only removed from servers.`,
    tag,
    permission: "any",
    params: IdParams,
    reply: SshKeyDeleted,
    handle: async (ctx, { params }) => success(await deleteKey(ctx, params.id)),
  }),
  route({
    method: "GET",
    path: access,
    summary: "List the SSH keys on a server",
    description:
      "Those that Longshore put there; keys that people added to authorized_keys themselves are not listed. A removed key is listed until the server has removed it.",
    tag,
    permission: "server:read",
    params: IdParams,
    reply: AccessList,
    handle: async (ctx, { params }) => success({ data: await showAccess(ctx, params.id) }),
  }),
  route({
    method: "POST",
    path: access,
    summary: "Add an SSH key to a server",
    description:
      "It opens root's account, and with it everything on the server. `sync` shows when the server has it. It is removed when the key is deleted, when its person leaves the organization, and when the server is transferred or deleted.",
    tag,
    permission: "server:update",
    params: IdParams,
    body: AccessRequest,
    status: 201,
    reply: AccessGranted,
    errors: { refused: "The setup of the server has not ended, or it has too many keys." },
    examples: { body: { ssh_key_id: 3 } },
    handle: async (ctx, { params, body }) => success(await grantAccess(ctx, params.id, body)),
  }),
  route({
    method: "DELETE",
    path: `${access}/:access`,
    summary: "Remove an SSH key from a server",
    description: "Sessions that it opened continue until they are closed.",
    tag,
    permission: "server:update",
    params: AccessParams,
    reply: AccessRemoved,
    handle: async (ctx, { params }) => success(await endAccess(ctx, params)),
  }),
];
