import type { Context } from "../../../context.ts";
import { masker } from "../../../lib/mask.ts";
import { maskedValues } from "../../projects/logs.ts";
import { findLastPing } from "./queries.ts";

/** The newest report of a heartbeat, without values of the project's environment, which its job may print. */
export async function showLastPing(
  ctx: Pick<Context, "pool" | "secrets">,
  { id, project_id: projectId }: { id: number; project_id: number },
) {
  const ping = await findLastPing(ctx.pool, id);
  if (!ping?.body) return ping ?? null;
  const mask = masker(await maskedValues(ctx, projectId));
  return { ...ping, body: mask(ping.body) };
}
