import type { JobOnServer } from "./plans.ts";
import type { JobRow } from "./schema.ts";

/** The data of a job for plans, from its row. */
export const jobOnServer = (job: JobRow): JobOnServer => ({
  id: job.id,
  command: job.command,
  isActive: job.is_active,
  heartbeatDigest: job.heartbeat_digest ?? undefined,
  runs: job.cron_expression === null ? { processes: job.processes ?? 1 } : { schedule: job.cron_expression },
});
