import type { Context } from "../../context.ts";
import { inBatches } from "../../db/batches.ts";
import type { Chore } from "../../engine/worker.ts";
import { deleteOldEntries } from "./queries.ts";

export const auditLogChores = ({ pool, config }: Pick<Context, "pool" | "config">): Chore[] => [
  {
    name: "delete old entries of the audit log",
    everyMs: 3_600_000,
    work: (signal) => inBatches(signal, (limit) => deleteOldEntries(pool, config.auditRetentionDays, limit)),
  },
];
