import type { BetterAuthPlugin } from "better-auth";
import { createAuthMiddleware, isAPIError } from "better-auth/api";
import type { Context } from "../../context.ts";
import { addressOf } from "../../http/audit.ts";
import { callingProgram } from "../../http/calling-program.ts";
import { insertAccountEntries } from "../../http/queries.ts";
import { endpoints } from "./endpoints.ts";
import { addressHeader, requestIdHeader } from "./schema.ts";

/**
 * Records requests that are audited by endpoints.ts. The last of the plugins: with a second factor, a correct password alone
 * is not a sign-in, which that plugin decides after the endpoint.
 */
export function auditLog({ pool, log }: Pick<Context, "pool" | "log">): BetterAuthPlugin {
  const record = createAuthMiddleware(async ({ path, headers, context }) => {
    const endpoint = endpoints.find((each) => each.path === path);
    const user = context.newSession?.user ?? context.session?.user;
    if (!endpoint?.isAudited || !user || isAPIError(context.returned)) return;
    await insertAccountEntries(pool, {
      userId: Number(user.id),
      action: `${endpoint.method} /api/auth${path}`,
      summary: endpoint.title,
      ip: addressOf(headers?.get(addressHeader) ?? ""),
      requestId: headers?.get(requestIdHeader) ?? "",
      client: callingProgram(Object.fromEntries(headers ?? []), true),
    }).catch((err: unknown) => log.error({ err }, "audit entry not stored"));
  });
  return { id: "audit-log", hooks: { after: [{ matcher: () => true, handler: record }] } };
}
