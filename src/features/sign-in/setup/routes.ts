import { Answer, type Route, route } from "../../../http/route.ts";
import { success } from "../../../http/schemas.ts";
import { commandLine } from "../../../lib/program.ts";
import { setUp, showSetup } from "./actions.ts";
import { firstAccount, setupRequest, setupState } from "./examples.ts";
import { SetupDone, SetupRequest, SetupState } from "./schema.ts";

const done = "The installation is set up, and you are signed in.";

export const setupRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/api/v1/setup",
    summary: "Show whether the installation needs its first account",
    description:
      "For the page that a new installation opens with, and the one for a new password. The first account is needed as long " +
      "as there is none.",
    permission: "public",
    reply: SetupState,
    examples: { reply: success({ data: setupState }) },
    handle: async (ctx) => success({ data: await showSetup(ctx) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/setup",
    summary: "Set up the installation with its first account",
    description:
      "The account becomes Owner of a new organization on the plan `business`, and the answer sets the cookie of a session " +
      "of it.\n\n" +
      "* `code` is what the start of Longshore printed, after the `#` of the address. It can be used once, within 24 hours " +
      `and ten attempts. Each start, and \`${commandLine("admin setup-code")}\`, prints another one in its place.\n` +
      `* Of several requests at once one is carried out. Once there is an account, also one that \`${commandLine("admin user")}\` ` +
      "made, the answer is 410.",
    permission: "public",
    body: SetupRequest,
    status: 201,
    reply: SetupDone,
    errors: {
      forbidden: "No code is valid any more: there were too many attempts, or it has expired.",
      gone: "There is an account already.",
      invalid: "The code or another field is wrong.",
    },
    examples: { body: setupRequest, reply: success({ message: done, data: firstAccount }) },
    handle: async (ctx, { body }) => {
      const { account, cookie } = await setUp(ctx, body);
      return new Answer(201, success({ message: done, data: account }), cookie);
    },
  }),
];
