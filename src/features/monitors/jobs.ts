import { once } from "node:events";
import type { Context } from "../../context.ts";
import { inBatches } from "../../db/batches.ts";
import { transaction } from "../../db/transaction.ts";
import type { Schedule } from "../../engine/schedule/schedule.ts";
import { Ticker } from "../../engine/schedule/ticker.ts";
import { systemClock } from "../../lib/clock.ts";
import { messageOf } from "../../lib/errors.ts";
import { Checker } from "./checks/checker.ts";
import { checkLateness } from "./checks/metrics.ts";
import { deleteOld, deleteOrphans, dropMonths, shardCount } from "./checks/queries.ts";
import { monitorsChannel } from "./queries.ts";
import { announceCalm } from "./verdicts/notices.ts";
import { endFlapping } from "./verdicts/queries.ts";
import { emitMonitor, flappingWindowMs } from "./verdicts/record.ts";

const atOnce = 500;

export const monitorSchedules = (ctx: Context): Schedule[] => [
  httpChecks(ctx),
  { name: "monitors-calm", everyMs: 30_000, work: () => calmDown(ctx, systemClock.now()) },
  {
    name: "monitors-of-deleted-domains",
    everyMs: 60_000,
    work: async () => void (await deleteOrphans(ctx.pool, atOnce)),
  },
  {
    name: "monitor-retention",
    everyMs: 3_600_000,
    work: (signal: AbortSignal) => deleteExpired(ctx, systemClock.now(), signal),
  },
];

// HTTP checks ----------------------------------------------------------------------------------------------------------------

const tickMs = 100;
const refreshMs = 5_000;
const storeMs = 60_000;
const reloadMs = 60_000;

/** One checker serves all shards of a process: it counts what runs at once, and stores all results together. */
function httpChecks(ctx: Context): Schedule {
  let checker: Checker | undefined;
  let held = 0;
  let timers: Promise<() => Promise<void>> | undefined;
  return {
    name: "http-checks",
    shards: shardCount,
    hold: async (shard, signal) => {
      checker ??= new Checker(ctx, { clock: systemClock, onStart: (lateMs) => checkLateness.observe(lateMs / 1_000) });
      held++;
      try {
        // First, so that no change is lost between the reading of a shard and the first notification.
        timers ??= startTimers(ctx, checker);
        await timers;
        await checker.addShard(shard);
        if (!signal.aborted) await once(signal, "abort");
      } finally {
        if (--held === 0) {
          const stopping = timers;
          timers = undefined;
          await stopping?.then(
            (stop) => stop(),
            () => {},
          );
        }
        await checker.dropShard(shard);
      }
    },
  };
}

async function startTimers(ctx: Context, checker: Checker): Promise<() => Promise<void>> {
  const failing = (what: string) => (error: unknown) => ctx.log.warn(`${what}: ${messageOf(error)}`);
  const changed = new Set<number>();
  const reloadChanged = (): void => {
    if (changed.size === 0) return;
    const ids = [...changed];
    changed.clear();
    void checker.reload(ids).catch(failing("Changed monitors could not be read"));
  };
  const forget = await ctx.listener.listen(monitorsChannel, (id) => {
    if (id === "") void checker.reload().catch(failing("Monitors could not be read"));
    else changed.add(Number(id));
  });
  const start = async (): Promise<void> => {
    checker.startDue();
    reloadChanged();
  };
  const { log } = ctx;
  const tickers = [
    new Ticker({ name: "http-checks-start", everyMs: tickMs, log, work: start }),
    new Ticker({ name: "http-checks-read-maintenance", everyMs: refreshMs, log, work: () => checker.refresh() }),
    new Ticker({ name: "http-checks-store-results", everyMs: storeMs, log, work: () => checker.store() }),
    new Ticker({ name: "http-checks-read-monitors", everyMs: reloadMs, log, work: () => checker.reload() }),
  ];
  for (const ticker of tickers) ticker.start();
  return async () => {
    forget();
    await Promise.all(tickers.map((ticker) => ticker.stop()));
  };
}

// Calm and clean-up ------------------------------------------------------------------------------------------------------------

/** Sends a notice for monitors that were flapping and have not changed for half an hour. */
export const calmDown = (ctx: Pick<Context, "pool" | "queue">, now: Date): Promise<void> =>
  transaction(ctx.pool, async (tx) => {
    const calm = await endFlapping(tx, new Date(now.getTime() - flappingWindowMs), atOnce);
    for (const monitor of calm) {
      await announceCalm(tx, ctx, monitor);
      await emitMonitor(tx, monitor);
    }
  });

const dayMs = 86_400_000;

export async function deleteExpired(
  { pool, config }: Pick<Context, "pool" | "config">,
  now: Date,
  signal: AbortSignal,
): Promise<void> {
  const before = new Date(now.getTime() - config.monitorRetentionDays * dayMs);
  await dropMonths(pool, before);
  await inBatches(signal, (limit) => deleteOld(pool, before, limit));
}
