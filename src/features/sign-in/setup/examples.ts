import type { Static } from "typebox";
import type { SetupDone, SetupRequest, SetupState } from "./schema.ts";

// Examples in the documentation of the API.

export const setupState: Static<typeof SetupState>["data"] = { needed: true, password_command: null };

export const setupRequest: Static<typeof SetupRequest> = {
  code: "0123456789abcdefghijABCDEFGHIJ01",
  name: "Alice",
  email: "alice@example.com",
  password: "correct horse battery",
  organization: "Acme",
};

export const firstAccount: Static<typeof SetupDone>["data"] = { user_id: 1, organization_id: 1 };
