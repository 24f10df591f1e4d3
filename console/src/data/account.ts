import { cache, reading } from "./cache.ts";

export const sessions = () => reading({ organization: null, noun: "sessions" }, "GET /api/v1/me/sessions");

export const passkeys = () =>
  reading({ organization: null, noun: "passkeys" }, "GET /api/auth/passkey/list-user-passkeys");

/** Reads the account again, in whatever organization it was read. */
export const invalidateAccount = (): Promise<void> =>
  cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === "me" });
