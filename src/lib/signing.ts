import { randomBytes } from "node:crypto";

/**
 * A secret to sign deliveries with, in the form of Standard Webhooks, which GitLab wants too: the bytes stand behind the
 * underscore, as base64. To whoever knows no such form it is a text as any.
 */
export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;
