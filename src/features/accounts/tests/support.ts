import type { Context } from "../../../context.ts";
import type { PublicContext } from "../../../http/route.ts";
import { openSession } from "../sessions.ts";

/** The headers of the console's page in a browser in which the account is signed in. */
export async function browserOf(ctx: Context, userId: number, userAgent = "Firefox"): Promise<Record<string, string>> {
  const request = { ...ctx, headers: { "user-agent": userAgent }, ip: "198.51.100.7" } as unknown as PublicContext;
  const opened = await openSession(ctx.pool, request, userId);
  const page = new URL(ctx.config.publicUrl ?? "http://console.example.com");
  return { host: page.host, origin: page.origin, cookie: opened["Set-Cookie"].split(";", 1)[0] ?? "" };
}
