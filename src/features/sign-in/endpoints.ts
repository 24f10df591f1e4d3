/** The most that the body of a request may have. */
export const bodyLimit = 64 * 1024;

/**
 * The allowed endpoints of better-auth. Everything else below /api/auth is an unknown address, so an update of better-auth
 * exposes nothing new.
 */
export interface Endpoint {
  method: "GET" | "POST";
  /** Below /api/auth. */
  path: string;
  /** What it does, for the documentation and the audit log. */
  title: string;
  /** Compares a password: `sign-in` for anyone, `confirm` for a signed-in account. Its attempts are counted. */
  password?: "sign-in" | "confirm";
  /** Its `id` names a row: better-auth would pass any text on to the database, whose error is a 500. */
  takesId?: true;
  /** Whether a success is in the audit log. */
  isAudited?: true;
}

const audited = { method: "POST", isAudited: true } as const;
const confirmed = { ...audited, password: "confirm" } as const;

export const endpoints: readonly Endpoint[] = [
  { ...audited, path: "/sign-in/email", password: "sign-in", title: "Sign in with a password" },
  { method: "POST", path: "/sign-out", title: "Sign out" },
  { ...confirmed, path: "/change-password", title: "Change the password" },

  { method: "GET", path: "/get-session", title: "Show the session" },
  { method: "GET", path: "/list-sessions", title: "List the sessions" },
  { ...audited, path: "/revoke-session", takesId: true, title: "End a session" },
  { ...audited, path: "/revoke-sessions", title: "End all sessions" },
  { ...audited, path: "/revoke-other-sessions", title: "End all other sessions" },

  { ...confirmed, path: "/two-factor/enable", title: "Prepare a second factor" },
  { ...confirmed, path: "/two-factor/disable", title: "Remove the second factor" },
  { ...confirmed, path: "/two-factor/get-totp-uri", title: "Show the second factor's secret" },
  { ...confirmed, path: "/two-factor/generate-backup-codes", title: "Make new backup codes" },
  { ...audited, path: "/two-factor/verify-totp", title: "Prove the second factor with a code" },
  { ...audited, path: "/two-factor/verify-backup-code", title: "Prove the second factor with a backup code" },

  { method: "GET", path: "/passkey/generate-register-options", title: "Begin to add a passkey" },
  { ...audited, path: "/passkey/verify-registration", title: "Add a passkey" },
  { method: "GET", path: "/passkey/generate-authenticate-options", title: "Begin to sign in with a passkey" },
  { ...audited, path: "/passkey/verify-authentication", title: "Sign in with a passkey" },
  { method: "GET", path: "/passkey/list-user-passkeys", title: "List the passkeys" },
  { ...audited, path: "/passkey/update-passkey", takesId: true, title: "Rename a passkey" },
  { ...audited, path: "/passkey/delete-passkey", takesId: true, title: "Remove a passkey" },
];
