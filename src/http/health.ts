import { Type } from "typebox";
import type { Context } from "../context.ts";
import { isReadOnly } from "../db/outage.ts";
import { withDeadline } from "../lib/deadline.ts";
import { freeBytes, fullBytes } from "../lib/disk.ts";
import { AppError } from "../lib/errors.ts";
import { checkWritable } from "./queries.ts";
import { route } from "./route.ts";
import { named } from "./schemas.ts";

const patienceMs = 3_000;

export const healthRoute = route({
  method: "GET",
  path: "/api/v1/health",
  summary: "Report whether the service works",
  description:
    "Answers 200 when the database and the queue answer, the database can be written, and the disk of the data directory has " +
    "room; 503 otherwise, and from the moment the process is asked to stop. `message` of a 503 names the part. It waits at " +
    "most 3 seconds, and looks at this process alone: ask each one behind a proxy.",
  permission: "public",
  reply: named("Health", Type.Object({ status: Type.Literal("ok") })),
  errors: {
    unavailable: "The database or the queue does not answer or is read-only, the disk is full, or the process stops.",
  },
  examples: { reply: { status: "ok" } },
  handle: async (ctx) => {
    if (ctx.signal.aborted) throw new AppError("unavailable", "This process stops. Others answer.");
    await withDeadline(patienceMs, checkHealth(ctx), () => {
      throw unhealthy("database");
    });
    return { status: "ok" as const };
  },
});

async function checkHealth(ctx: Context): Promise<void> {
  const [database, queue] = await Promise.allSettled([checkWritable(ctx.pool), ctx.queue.healthy()]);
  if (database.status === "rejected")
    throw isReadOnly(database.reason) ? database.reason : unhealthy("database", database.reason);
  if (queue.status === "rejected") throw unhealthy("queue", queue.reason);
  if (!queue.value) throw unhealthy("queue");
  if (ctx.config.databaseUrl !== undefined) return;
  // If a directory cannot be read, its disk counts as free.
  const free = await freeBytes(ctx.config.dataDirectory).catch(() => Number.POSITIVE_INFINITY);
  if (free >= fullBytes) return;
  throw new AppError("unavailable", "The disk of the data directory is full. Make room on it.", {
    headers: { "Retry-After": "60" },
  });
}

const unhealthy = (part: "database" | "queue", cause?: unknown): AppError =>
  new AppError("unavailable", `The ${part} does not answer.`, { cause, headers: { "Retry-After": "5" } });
