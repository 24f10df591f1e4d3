import type { Static } from "typebox";
import type { SignInByLink } from "./schema.ts";

// Examples in the documentation of the API.

export const signInByLink: Static<typeof SignInByLink> = { token: "lsl_0123456789abcdefghijABCDEFGHIJ0123456789" };
