import { type Route, route } from "../../../http/route.ts";
import { changeEmail, checkEmailChange, requestEmailChange, requestReset, resetPassword } from "./actions.ts";
import { emailChange, emailProof, passwordReset, resetRequest } from "./examples.ts";
import { Done, EmailChange, EmailProof, PasswordReset, passwordCommand, ResetRequest } from "./schema.ts";

const done = (message: string) => ({ status: true as const, message });

const requested = done("If the address has an account, a link to a new password was mailed to it.");
const reset = done("The password was changed, and all sessions have ended. Sign in with it.");
const toConfirm = done(
  "A link was mailed to the new address, unless it has an account. It changes when the link is used.",
);
const confirmed = done("The address was changed.");

const tag = "sign-in";
const usedLink = "The link was used or replaced, or has expired.";
const tooMany = "There were too many attempts; `Retry-After` shows when to try again.";

export const mailedLinkRoutes: readonly Route[] = [
  route({
    method: "POST",
    path: "/api/auth/request-password-reset",
    summary: "Mail a link to a new password",
    description:
      "The answer, and the time that it takes, are the same whether or not the address has an account.\n\n" +
      "* The link leads to `LONGSHORE_PUBLIC_URL`, whatever address the request was sent to. It can be used once, within 60 " +
      "minutes, and the newest one counts.\n" +
      "* An address is mailed to five times an hour at most, a client may ask ten times a minute.\n" +
      "* An installation without `LONGSHORE_SMTP_URL` answers 422: its operator sets the password with " +
      `\`${passwordCommand}\`.`,
    tag,
    permission: "public",
    body: ResetRequest,
    reply: Done,
    errors: { invalid: "The email is not an address, or the installation sends no mail.", rate_limited: tooMany },
    examples: { body: resetRequest, reply: requested },
    handle: async (ctx, { body }) => {
      await requestReset(ctx, body.email);
      return requested;
    },
  }),
  route({
    method: "POST",
    path: "/api/auth/reset-password",
    summary: "Set a new password by a mailed link",
    description:
      "`token` is in the link of `POST /api/auth/request-password-reset`. All sessions of the account end, and so do its " +
      "other links; a second factor stays and is asked for when it signs in. Tokens of the API continue to work. The " +
      "account is notified by mail.",
    tag,
    permission: "public",
    body: PasswordReset,
    reply: Done,
    errors: { gone: usedLink, rate_limited: tooMany },
    examples: { body: passwordReset, reply: reset },
    handle: async (ctx, { body }) => {
      await resetPassword(ctx, body);
      return reset;
    },
  }),
  route({
    method: "POST",
    path: "/api/auth/change-email",
    summary: "Change the account's email address",
    description:
      "Mails a link to the new address, and the news to the present one. The address changes when the link is used, within 60 " +
      "minutes: until then the present one signs in. The answer is the same when the new address has an account, which is not " +
      "mailed to then. Five times an hour at most; an installation without `LONGSHORE_SMTP_URL` answers 422.",
    tag,
    permission: "session",
    withoutOrganization: true,
    body: EmailChange,
    reply: Done,
    errors: { invalid: "The new email is not an address, or is the present one, or the installation sends no mail." },
    examples: { body: emailChange, reply: toConfirm },
    check: checkEmailChange,
    handle: async (ctx, { body }) => {
      await requestEmailChange(ctx, body);
      return toConfirm;
    },
  }),
  route({
    method: "POST",
    path: "/api/auth/verify-email",
    summary: "Confirm a new email address",
    description:
      "`token` is in the link that `POST /api/auth/change-email` mailed. The account signs in with the new address from then on, " +
      "and the former one is mailed the news. Sessions and tokens continue; links to a new password that were mailed to the " +
      "former address end.",
    tag,
    permission: "public",
    body: EmailProof,
    reply: Done,
    errors: { gone: `${usedLink} Or the address has an account by now.`, rate_limited: tooMany },
    examples: { body: emailProof, reply: confirmed },
    handle: async (ctx, { body }) => {
      await changeEmail(ctx, body.token);
      return confirmed;
    },
  }),
];
