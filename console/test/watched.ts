import { transaction } from "../../src/db/transaction.ts";
import { addCounts, addMonths, addRecent, recordChecked } from "../../src/features/monitors/checks/queries.ts";
import { storedMonitor } from "../../src/features/monitors/tests/support.ts";
import { recordStates } from "../../src/features/monitors/verdicts/queries.ts";
import { recordVerdict } from "../../src/features/monitors/verdicts/record.ts";
import type { Stage } from "./stage.ts";

// What the checks of monitors store, without checks.

const hourMs = 3_600_000;
const minuteMs = 60_000;

interface Judged {
  /** How long ago it began. */
  minutesAgo?: number;
  message?: string;
  context?: Record<string, unknown>;
}

/** A verdict, with its event. */
export async function judge(
  stage: Stage,
  id: number,
  status: "up" | "down",
  { minutesAgo = 0, message = status === "up" ? "It answered 200." : "It answered 502.", context = {} }: Judged = {},
): Promise<void> {
  const at = new Date(Date.now() - minutesAgo * minuteMs);
  const watched = await storedMonitor(stage, id);
  const change = { status, at, since: at, observedUntil: new Date(Date.now() + hourMs), message, context };
  await transaction(stage.pool, (tx) => recordVerdict(tx, stage.ctx, watched, change));
}

/** Checks each minute for some hours until now: all passed but those of one hour. */
export async function addChecks(stage: Stage, id: number, hours: number, badHour = 3): Promise<void> {
  const thisHour = Math.floor(Date.now() / hourMs) * hourMs;
  const counts = Array.from({ length: hours }, (_, ago) => ({
    ...{
      monitorId: id,
      hour: new Date(thisHour - ago * hourMs),
      checks: 60,
      ok: ago === badHour ? 48 : 60,
      unobserved: 0,
    },
    latencySumMs: 60 * 90,
    latency: [0, 20 + ((ago * 7) % 17), 20 - ((ago * 7) % 17), 15, 5, 0, 0, 0, 0, 0, 0, 0],
    statuses: [0, 0, ago === badHour ? 48 : 60, 0, 0, ago === badHour ? 12 : 0],
  }));
  const recent = Array.from({ length: 60 }, (_, index) => (index === 41 ? null : 60 + ((index * 37) % 23) * 4));
  await transaction(stage.pool, async (tx) => {
    for (const { hour } of counts) await addMonths(tx, hour);
    await addCounts(tx, counts);
    await addRecent(tx, [{ monitorId: id, ok: recent.map((ms) => ms !== null), ms: recent }]);
    await recordStates(tx, [{ monitorId: id, state: "up", at: new Date(thisHour - hours * hourMs) }]);
    await recordChecked(tx, [{ monitorId: id, at: new Date(), observedUntil: new Date(Date.now() + hourMs) }]);
  });
}
