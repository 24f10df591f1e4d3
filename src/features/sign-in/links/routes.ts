import { Answer, type Route, route } from "../../../http/route.ts";
import { commandLine } from "../../../lib/program.ts";
import { Done } from "../mailed-links/schema.ts";
import { signInByLink } from "./actions.ts";
import * as examples from "./examples.ts";
import { linkMinutes, SignInByLink } from "./schema.ts";

const done = { status: true as const, message: "You are signed in." };

export const signInLinkRoutes: readonly Route[] = [
  route({
    method: "POST",
    path: "/api/auth/sign-in/link",
    summary: "Sign in by a link of the operator",
    description:
      `\`token\` is after the \`#\` of the address that \`${commandLine("admin sign-in-link")}\` printed. ` +
      "It can be used once, within " +
      `${linkMinutes} minutes, and the newest one of an account counts. The answer sets the cookie of a session. An account with a ` +
      "second factor cannot be signed in so.",
    tag: "sign-in",
    permission: "public",
    body: SignInByLink,
    reply: Done,
    errors: {
      gone: "The link was used or replaced, or has expired.",
      rate_limited: "There were too many attempts; `Retry-After` shows when to try again.",
    },
    examples: { body: examples.signInByLink, reply: done },
    handle: async (ctx, { body }) => new Answer(200, done, await signInByLink(ctx, body.token)),
  }),
];
