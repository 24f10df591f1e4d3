import { pageOf, paginated } from "../../http/pagination.ts";
import { type Route, route } from "../../http/route.ts";
import { Acknowledgement, IdParams, success } from "../../http/schemas.ts";
import { addKey, checkKey, deleteKey, endAccess, grantAccess, showAccess, showKey, showKeys } from "./actions.ts";
import { access as accessExample, accessRequest, key, keyRequest } from "./examples.ts";
import {
  AccessGranted,
  AccessList,
  AccessParams,
  AccessRequest,
  SshKeyChanged,
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
      "Your own ones and the organization's; with the permission `server:update` also those of its members, who can be " +
      "let in to servers. `owner` selects those of people, or of the organization.",
    tag,
    permission: "any",
    query: SshKeyQuery,
    reply: SshKeyPage,
    examples: { reply: paginated(pageOf({}, 25), 1, [key]) },
    handle: (ctx, { query }) => showKeys(ctx, query),
  }),
  route({
    method: "POST",
    path: keys,
    summary: "Add an SSH key",
    description:
      'A public key of yours, or of the organization with `owner: "organization"`. It gives no access before it is ' +
      `added to a server. ${keyRules} A key that its owner has already gets 422; another owner can have it too, and ` +
      "the answer does not show whether one does. Options, certificates and DSA are refused, and the comment is " +
      "dropped. A person has at most 50 keys, and so has an organization.",
    tag,
    permission: "any",
    body: SshKeyRequest,
    status: 201,
    reply: SshKeyChanged,
    examples: { body: keyRequest, reply: success({ message: "The key Laptop was added.", data: key }) },
    check: checkKey,
    handle: async (ctx, { body }) => success(await addKey(ctx, body)),
  }),
  route({
    method: "GET",
    path: `${keys}/:id`,
    summary: "Read an SSH key",
    description:
      "Your own one or the organization's, or with the permission `server:update` one of its members; any other key " +
      "gets 404. `GET /servers/:id/ssh-access` shows where it is.",
    tag,
    permission: "any",
    params: IdParams,
    reply: SshKeyReply,
    examples: { reply: success({ data: key }) },
    handle: async (ctx, { params }) => success({ data: await showKey(ctx, params.id) }),
  }),
  route({
    method: "DELETE",
    path: `${keys}/:id`,
    summary: "Delete an SSH key",
    description:
      `It is removed from every server that has it; from one that is unreachable when it is back. ${keyRules} A ` +
      "colleague's key cannot be deleted (403): remove it from the servers.",
    tag,
    permission: "any",
    params: IdParams,
    reply: Acknowledgement,
    examples: { reply: success({ message: "The key Laptop was deleted. It is being taken away from 2 servers." }) },
    handle: async (ctx, { params }) => success(await deleteKey(ctx, params.id)),
  }),
  route({
    method: "GET",
    path: access,
    summary: "List the SSH keys on a server",
    description:
      "Those that Longshore put there; keys that people added to `authorized_keys` themselves are not listed. `sync` " +
      "is the same for all keys of the server. A removed key is listed with `is_removed: true` until the server has " +
      "removed it, and a deleted one with its name and `ssh_key_id: null`.",
    tag,
    permission: "server:read",
    params: IdParams,
    reply: AccessList,
    examples: { reply: success({ data: [accessExample] }) },
    handle: async (ctx, { params }) => success({ data: await showAccess(ctx, params.id) }),
  }),
  route({
    method: "POST",
    path: access,
    summary: "Add an SSH key to a server",
    description:
      "It opens root's account, and with it everything on the server; users of projects get no shell, which would be " +
      "outside the sandbox that keeps projects apart. `sync` shows when the server has the key.\n\n" +
      "* The key is one that you can read. The role and restriction of its person do not matter, only the membership.\n" +
      "* It is removed when the key is deleted, when its person leaves the organization, and when the server is " +
      "transferred or deleted. Rejoining restores no key.\n" +
      "* The setup of the server has to have ended, and a server has at most 200 keys (422).",
    tag,
    permission: "server:update",
    params: IdParams,
    body: AccessRequest,
    status: 201,
    reply: AccessGranted,
    errors: { refused: "The setup of the server has not ended, or it has too many keys." },
    examples: {
      body: accessRequest,
      reply: success({ message: "Laptop is being put onto web-1 and opens root there.", data: accessExample }),
    },
    handle: async (ctx, { params, body }) => success(await grantAccess(ctx, params.id, body)),
  }),
  route({
    method: "DELETE",
    path: `${access}/:access`,
    summary: "Remove an SSH key from a server",
    description:
      "The answer does not wait for the server: the list shows the key with `is_removed: true` until it is gone, and " +
      "removing it twice gets 404. Sessions that it opened continue until they are closed.",
    tag,
    permission: "server:update",
    params: AccessParams,
    reply: Acknowledgement,
    examples: { reply: success({ message: "The key is being taken away from web-1." }) },
    handle: async (ctx, { params }) => success(await endAccess(ctx, params)),
  }),
];
