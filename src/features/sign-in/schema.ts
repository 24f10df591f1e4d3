// Headers in which routes.ts passes the details of a request. Headers with these names from a client are dropped.
export const addressHeader = "x-longshore-address";
export const requestIdHeader = "x-longshore-request-id";
export const ownHeaders: readonly string[] = [addressHeader, requestIdHeader];

// The names of better-auth's tables and fields, and their names here (0003-sign-in.sql). Our `users` are its users.

const times = { createdAt: "created_at", updatedAt: "updated_at" };

export const userTable = { modelName: "users", fields: { ...times, emailVerified: "email_verified" } };

export const sessionTable = {
  modelName: "auth_sessions",
  fields: { ...times, userId: "user_id", expiresAt: "expires_at", ipAddress: "ip_address", userAgent: "user_agent" },
};

export const accountTable = {
  modelName: "auth_accounts",
  fields: {
    ...times,
    userId: "user_id",
    providerId: "provider_id",
    accountId: "account_id",
    accessToken: "access_token",
    refreshToken: "refresh_token",
    idToken: "id_token",
    accessTokenExpiresAt: "access_token_expires_at",
    refreshTokenExpiresAt: "refresh_token_expires_at",
  },
};

export const verificationTable = { modelName: "auth_verifications", fields: { ...times, expiresAt: "expires_at" } };

export const twoFactorSchema = {
  user: { fields: { twoFactorEnabled: "two_factor_enabled" } },
  twoFactor: {
    modelName: "auth_two_factors",
    fields: {
      userId: "user_id",
      backupCodes: "backup_codes",
      failedVerificationCount: "failed_verification_count",
      lockedUntil: "locked_until",
    },
  },
};

export const passkeySchema = {
  passkey: {
    modelName: "auth_passkeys",
    fields: {
      userId: "user_id",
      publicKey: "public_key",
      credentialID: "credential_id",
      deviceType: "device_type",
      backedUp: "backed_up",
      createdAt: "created_at",
    },
  },
};
