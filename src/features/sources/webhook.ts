import type { GitSourceType } from "../../host/git/git.ts";
import type { PublicContext } from "../../http/route.ts";
import { AppError, invalid, notFound } from "../../lib/errors.ts";
import { webhookDialects } from "../../providers/git/git-hosts.ts";
import type { Delivery, Push, Received } from "../../providers/git/webhook.ts";
import { digestOf } from "../accounts/tokens.ts";
import { findHookByDigest } from "./queries.ts";

export type { Push };

/** The report of a sender that has the project's secret. */
export interface ReadDelivery {
  projectId: number;
  received: Received;
  /** Its identity among deliveries, or, unless `namesDeliveries`, among pushes. */
  identities: string[];
  namesDeliveries: boolean;
}

interface HookAddress {
  source: GitSourceType;
  token: string;
}

/** Before a body of some megabytes is read: 404 for an unknown address. */
export async function refuseUnknownHook(ctx: PublicContext, address: HookAddress): Promise<void> {
  await getHook(ctx, address);
}

async function getHook({ pool }: PublicContext, { source, token }: HookAddress) {
  const hook = await findHookByDigest(pool, digestOf(token), source);
  if (!hook) throw notFound("The webhook");
  return hook;
}

/**
 * Checks a delivery: 404 for an unknown address, 401 without a signature, 403 for a wrong one. Before that nothing is revealed
 * about the project, and the body is not parsed.
 */
export async function readDelivery(ctx: PublicContext, address: HookAddress, body: Buffer): Promise<ReadDelivery> {
  const { source } = address;
  const hook = await getHook(ctx, address);
  const delivery: Delivery = { headers: ctx.headers, body, receivedAt: new Date() };
  const dialect = webhookDialects[source];
  const proof = dialect.verify(delivery, ctx.secrets.decrypt(hook.hook_secret));
  if (proof === "missing") {
    throw new AppError("unauthenticated", "The delivery is not signed. Give the webhook its secret at the git host.");
  }
  if (proof === "wrong") {
    throw new AppError("forbidden", "The signature is not right. Give the webhook its present secret at the git host.");
  }
  try {
    const received = dialect.read(delivery);
    const { namesDeliveries } = dialect;
    return { projectId: hook.project_id, received, identities: dialect.identitiesOf(delivery), namesDeliveries };
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw invalid({ body: "The body must be the JSON that the git host sends." });
  }
}
