import type { Context } from "../../context.ts";
import type { Chore } from "../../engine/worker.ts";
import { deleteOldEntries } from "./queries.ts";

const hourMs = 3_600_000;
const entriesAtOnce = 5_000;

export const auditLogChores = (ctx: Context): Chore[] => [
  { name: "delete old audit entries", everyMs: hourMs, work: (signal) => deleteOld(ctx, signal) },
];

/** In pieces that hold up nobody. */
async function deleteOld({ pool, config }: Pick<Context, "pool" | "config">, signal: AbortSignal): Promise<void> {
  let deleted = entriesAtOnce;
  while (deleted === entriesAtOnce && !signal.aborted) {
    deleted = await deleteOldEntries(pool, config.auditRetentionDays, entriesAtOnce);
  }
}
