import { randomBytes } from "node:crypto";

/**
 * A secret to sign deliveries with, in the form of Standard Webhooks, which GitLab also requires: the bytes follow the
 * underscore, as base64. A receiver that does not know this form uses it as plain text.
 */
export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;
