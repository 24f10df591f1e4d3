// A separate process that only checks monitors, for tests that kill it. Arguments: the database's URL, and the shortest interval
// in seconds. Sends a message when it has begun.

import { openPool } from "../../../db/pool.ts";
import { Listener } from "../../../engine/listener.ts";
import { Queue } from "../../../engine/queue/queue.ts";
import { Scheduler } from "../../../engine/schedule/scheduler.ts";
import { jobsOf } from "../../../features.ts";
import { contextOn } from "../../../http/tests/support.ts";
import { planLimits } from "../../accounts/schema.ts";
import { monitorSchedules } from "../jobs.ts";

const [url = "", intervalSeconds = ""] = process.argv.slice(2);
planLimits.business.monitorIntervalSeconds = Number(intervalSeconds);
process.on("disconnect", () => process.exit());

const pool = openPool(url, { connectTimeoutMs: 60_000 });
const base = contextOn(pool, { monitorAllow: "127.0.0.0/8", secondOpinion: "off" });
const listener = new Listener(url, base.log);
const ctx = { ...base, listener, queue: new Queue(pool, base.log) };
await ctx.queue.start(jobsOf(ctx));
await listener.start();
await new Scheduler(ctx, monitorSchedules(ctx)).start();
process.send?.("begun");
