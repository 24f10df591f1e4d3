import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { routesOf } from "../../../features.ts";
import { buildApp } from "../../../http/app.ts";
import { authenticator } from "../../accounts/authenticator.ts";
import {
  addMonitor,
  addProject,
  addProvisioned,
  askDuring,
  openStage,
  type Stage,
} from "../../monitors/tests/support.ts";
import { mountStatusPages } from "../publish.ts";

export { addMonitor, addProject, addProvisioned, askDuring, openStage, type Stage };

/** The API with status pages, listening. */
export async function servePages(stage: Stage): Promise<{ app: FastifyInstance; url: string }> {
  const app = buildApp(stage.ctx, routesOf(), authenticator(stage.ctx));
  mountStatusPages(app, stage.ctx);
  await app.listen({ host: "127.0.0.1", port: 0 });
  return { app, url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` };
}

/** Records observations of a monitor: its status, and intervals of `[state, hours ago, until hours ago]`. */
export async function observe(
  { pool }: Pick<Stage, "pool">,
  monitorId: number,
  status: "up" | "down",
  intervals: readonly (readonly ["up" | "down" | "unobserved", number, number | null])[],
): Promise<void> {
  await pool.query(
    `update monitors set current_status = $2, last_status_changed_at = now(), observed_until = now() + interval '1 minute'
     where id = $1`,
    [monitorId, status],
  );
  for (const [state, from, until] of intervals) {
    await pool.query(
      `insert into monitor_intervals (monitor_id, state, started_at, ended_at)
       values ($1, $2, now() - $3 * interval '1 hour', now() - $4::float8 * interval '1 hour')`,
      [monitorId, state, from, until],
    );
  }
}
