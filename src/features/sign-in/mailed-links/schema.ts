import { Type } from "typebox";
import { described, named } from "../../../http/schemas.ts";
import { commandLine } from "../../../lib/program.ts";
import { EmailAddress, NewPassword } from "../../accounts/schema.ts";

/** A link that was mailed ends after so long, and so do attempts to mail it. */
export const linkMinutes = 60;

/** The queue of jobs that send one mail to an account each. */
export const accountMailQueue = "mail-accounts";

/** What the operator does where no mail is sent. */
export const passwordCommand = commandLine("admin user --email you@example.com --password-stdin");

export type Purpose = "reset_password" | "change_email";

/** A mail to send, as its job holds it: what is secret in it is made when it is sent. */
export type AccountMail =
  | { kind: "reset_password"; email: string }
  | { kind: "change_email"; userId: number; newEmail: string }
  | { kind: "email_to_change" | "email_changed"; email: string; newEmail: string }
  | { kind: "password_changed"; email: string };

const Secret = Type.String({
  title: "token",
  minLength: 1,
  maxLength: 200,
  description: "What is after the `#` of the link",
});

export const ResetRequest = named(
  "PasswordResetRequest",
  Type.Object({ email: described(EmailAddress, "Of the account") }),
);
export const PasswordReset = named(
  "PasswordReset",
  Type.Object({ token: Secret, newPassword: described(NewPassword, "Signs in from now on") }),
);
export const EmailChange = named(
  "EmailChange",
  Type.Object({ newEmail: described(EmailAddress, "Where the link is mailed to") }),
);
export const EmailProof = named("EmailProof", Type.Object({ token: Secret }));

/** The answers of better-auth, in whose place these endpoints stand, have true here. */
export const Done = named("SignInDone", Type.Object({ status: Type.Literal(true), message: Type.String() }));
