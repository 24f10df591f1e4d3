import type { PoolClient } from "pg";
import { row, rows, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import type { Reply } from "../../../http/tests/support.ts";
import { addProject, addProvisioned, openStage, type Stage, untilWaiting } from "../../deployments/tests/support.ts";
import { insertMonitor, type MonitorSettings } from "../queries.ts";
import type { MonitorEventRow, MonitorStatus } from "../schema.ts";
import type { Watched } from "../verdicts/queries.ts";

export { addProject, addProvisioned, openStage, type Stage };

const settings: MonitorSettings = {
  name: "Shop",
  isActive: true,
  threshold: 3,
  url: "https://shop.example.com/",
  method: "GET",
  expectedStatus: null,
  intervalSeconds: 60,
  timeoutSeconds: 10,
  expectedPeriodSeconds: null,
  graceSeconds: null,
};

/** An HTTP monitor of a project; its id. */
export const addMonitor = (
  stage: Pick<Stage, "pool" | "cast">,
  projectId: number,
  changes: Partial<MonitorSettings> = {},
): Promise<number> =>
  insertMonitor(
    stage.pool,
    {
      organizationId: stage.cast.organizationId,
      projectId,
      type: "http",
      target: "project",
      domainId: null,
      jobId: null,
      ping: null,
    },
    { ...settings, ...changes },
  );

export interface StoredMonitor extends Watched {
  is_active: boolean;
  current_status: MonitorStatus;
  last_checked_at: string | null;
  observed_until: string | null;
  flapping_since: string | null;
  certificate_expires_at: string | null;
}

export async function storedMonitor({ pool }: Pick<Stage, "pool">, id: number): Promise<StoredMonitor> {
  const found = await row<StoredMonitor>(pool, sql`select * from monitors where id = ${id}`);
  if (!found) throw new Error(`No monitor ${id}`);
  return found;
}

/** The answer to a request that came while another transaction was about to commit `work`. */
export async function askDuring(
  { pool }: Pick<Stage, "pool">,
  work: (tx: PoolClient) => Promise<unknown>,
  ask: () => Promise<Reply>,
): Promise<Reply> {
  const [asked] = await transaction(pool, async (tx) => {
    await work(tx);
    const begun = ask();
    await untilWaiting(pool);
    return [begun];
  });
  return asked;
}

/** The oldest first. */
export const eventsOf = ({ pool }: Pick<Stage, "pool">, id: number): Promise<MonitorEventRow[]> =>
  rows(pool, sql`select * from monitor_events where monitor_id = ${id} order by id`);

export const intervalsOf = (
  { pool }: Pick<Stage, "pool">,
  id: number,
): Promise<{ state: string; started_at: string; ended_at: string | null }[]> =>
  rows(
    pool,
    sql`select state, started_at, ended_at from monitor_intervals where monitor_id = ${id} order by started_at, id`,
  );

export const noticesOf = (
  { pool }: Pick<Stage, "pool">,
  id: number,
): Promise<{ topic: string; title: string; text: string; data: Record<string, unknown> }[]> =>
  rows(
    pool,
    sql`select topic, title, text, data from announcements where (data->>'monitor_id')::bigint = ${id} order by id`,
  );
