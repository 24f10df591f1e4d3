import { isIP } from "node:net";
import type { Config } from "../../config.ts";
import { AppError } from "../../lib/errors.ts";

// A page of another site can have its own name resolve to this machine, and then send requests here from a browser in the same
// network (DNS rebinding). Such a request names the page's host. An address in place of a name is that of no page.

const localNames = ["localhost", "127.0.0.1", "[::1]"];

/** Throws 403 for a request that names another host than this installation, or that a page of another site sends. */
export function refuseOtherHosts(
  config: Pick<Config, "publicUrl" | "corsOrigins">,
  { host, origin }: { host?: string | undefined; origin?: string | undefined },
): void {
  const own = new Set([...localNames, ...(config.publicUrl ? [new URL(config.publicUrl).hostname] : [])]);
  const named = hostnameOf(`http://${host ?? ""}`);
  if (named === undefined || !(own.has(named) || isAddress(named))) {
    throw new AppError(
      "forbidden",
      "The request names another host than this installation. Use its address, as LONGSHORE_PUBLIC_URL names it.",
    );
  }
  if (origin === undefined || config.corsOrigins.includes(origin)) return;
  const sender = hostnameOf(origin);
  if (sender === undefined || !own.has(sender)) {
    throw new AppError("forbidden", "A page of another site sent the request. LONGSHORE_CORS_ORIGINS permits sites.");
  }
}

const hostnameOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).hostname : undefined);

const isAddress = (hostname: string): boolean => isIP(hostname.replace(/^\[(.*)\]$/, "$1")) !== 0;
