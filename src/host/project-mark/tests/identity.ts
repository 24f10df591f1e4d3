import type { ProjectIdentity } from "../mark.ts";

/** Of a project that was made in the present version. */
export const someIdentity: ProjectIdentity = { createdAt: "2026-11-26T14:33:09.123456Z", mayAdopt: false };
