import { Type } from "typebox";
import { named } from "../../../http/schemas.ts";

/** Long enough to open a link that was just printed. */
export const linkMinutes = 10;

export const SignInByLink = named(
  "SignInByLink",
  Type.Object({
    token: Type.String({ minLength: 1, maxLength: 200, description: "What is after the `#` of the link" }),
  }),
);
