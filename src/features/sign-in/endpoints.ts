/**
 * The allowed endpoints of better-auth. Everything else below /api/auth is an unknown address, so an update of better-auth
 * exposes nothing new.
 */
export interface Endpoint {
  method: "GET" | "POST";
  /** Below /api/auth. */
  path: string;
  /** Compares a password: `sign-in` for anyone, `confirm` for a signed-in account. Its attempts are counted. */
  password?: "sign-in" | "confirm";
  /** The entry of a success in the audit log. */
  summary?: string;
}

export const endpoints: readonly Endpoint[] = [
  { method: "POST", path: "/sign-in/email", password: "sign-in", summary: "Sign in with a password" },
  { method: "POST", path: "/sign-out" },
  { method: "POST", path: "/change-password", password: "confirm", summary: "Change the password" },

  { method: "GET", path: "/get-session" },
  { method: "GET", path: "/list-sessions" },
  { method: "POST", path: "/revoke-session", summary: "End a session" },
  { method: "POST", path: "/revoke-sessions", summary: "End all sessions" },
  { method: "POST", path: "/revoke-other-sessions", summary: "End all other sessions" },

  { method: "POST", path: "/two-factor/enable", password: "confirm", summary: "Prepare a second factor" },
  { method: "POST", path: "/two-factor/disable", password: "confirm", summary: "Remove the second factor" },
  { method: "POST", path: "/two-factor/get-totp-uri", password: "confirm", summary: "Show the second factor's secret" },
  { method: "POST", path: "/two-factor/generate-backup-codes", password: "confirm", summary: "Make new backup codes" },
  { method: "POST", path: "/two-factor/verify-totp", summary: "Prove the second factor with a code" },
  { method: "POST", path: "/two-factor/verify-backup-code", summary: "Prove the second factor with a backup code" },

  { method: "GET", path: "/passkey/generate-register-options" },
  { method: "POST", path: "/passkey/verify-registration", summary: "Add a passkey" },
  { method: "GET", path: "/passkey/generate-authenticate-options" },
  { method: "POST", path: "/passkey/verify-authentication", summary: "Sign in with a passkey" },
  { method: "GET", path: "/passkey/list-user-passkeys" },
  { method: "POST", path: "/passkey/update-passkey", summary: "Rename a passkey" },
  { method: "POST", path: "/passkey/delete-passkey", summary: "Remove a passkey" },
];
