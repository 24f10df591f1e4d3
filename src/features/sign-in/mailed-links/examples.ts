import type { Static } from "typebox";
import type { EmailChange, EmailProof, PasswordReset, ResetRequest } from "./schema.ts";

// Examples in the documentation of the API.

const token = "lsm_0123456789abcdefghijABCDEFGHIJ0123456789";

export const resetRequest: Static<typeof ResetRequest> = { email: "alice@example.com" };
export const passwordReset: Static<typeof PasswordReset> = { token, newPassword: "battery staple horse" };
export const emailChange: Static<typeof EmailChange> = { newEmail: "alice@example.org" };
export const emailProof: Static<typeof EmailProof> = { token };
