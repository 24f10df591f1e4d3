import type { Context } from "../../context.ts";
import { inBatches } from "../../db/batches.ts";
import type { PeriodicTask } from "../../engine/schedule/schedule.ts";
import { deleteOldAuditEntries } from "../../http/queries.ts";

export const auditLogSchedules = ({ pool, config }: Pick<Context, "pool" | "config">): PeriodicTask[] => [
  {
    name: "delete-old-audit-entries",
    everyMs: 3_600_000,
    work: (signal) => inBatches(signal, (limit) => deleteOldAuditEntries(pool, config.auditRetentionDays, limit)),
  },
];
