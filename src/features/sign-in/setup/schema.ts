import { Type } from "typebox";
import { described, Id, Name, Nullable, named, Reply, Success } from "../../../http/schemas.ts";
import { EmailAddress, NewPassword } from "../../accounts/schema.ts";

export const codeHours = 24;
export const mostAttempts = 10;

export const SetupState = Reply(
  named(
    "SetupState",
    Type.Object({
      needed: Type.Boolean({ description: "Whether the installation has no account yet" }),
      password_command: Nullable(
        Type.String({
          description: "The command with which its operator sets a password; null: links to a new one are mailed",
        }),
      ),
    }),
    "Whether an installation is set up",
  ),
);

export const SetupRequest = named(
  "SetupRequest",
  Type.Object({
    code: Type.String({ minLength: 1, maxLength: 200, description: "What the start of Longshore printed" }),
    name: Name,
    email: described(EmailAddress, "What the account signs in with"),
    password: described(NewPassword, "Of the account"),
    organization: Type.String({ ...Name, description: "The name of the first organization" }),
  }),
);

export const SetupDone = named(
  "SetupDone",
  Success({
    message: Type.String(),
    data: named(
      "FirstAccount",
      Type.Object({ user_id: described(Id, "Of the account"), organization_id: described(Id, "Of its organization") }),
      "The account and its organization",
    ),
  }),
);
