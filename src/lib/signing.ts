import { randomBytes } from "node:crypto";

/**
 * A secret to sign deliveries with, in the form of Standard Webhooks, which GitLab wants too: the bytes stand behind the
 * underscore, as base64. A receiver without this form reads it as plain text.
 */
export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;
