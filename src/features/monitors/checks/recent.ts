import { shownChecks } from "../schema.ts";
import type { CheckResult } from "./client.ts";
import type { RecentChecks } from "./queries.ts";

/** The newest results of monitors that are not stored yet. */
export class Recent {
  private checks = new Map<number, RecentChecks>();

  addResult(monitorId: number, { isUp, phases }: Pick<CheckResult, "isUp" | "phases">): void {
    const ms = phases.whole === undefined ? null : Math.round(phases.whole);
    this.add({ monitorId, ok: [isUp], ms: [ms] });
  }

  /** Returns all of them, and forgets them. */
  take(): RecentChecks[] {
    const taken = [...this.checks.values()];
    this.checks = new Map();
    return taken;
  }

  /** Adds results that could not be stored: they are older than those that came since. */
  putBack(checks: readonly RecentChecks[]): void {
    const newer = this.take();
    for (const each of [...checks, ...newer]) this.add(each);
  }

  private add({ monitorId, ok, ms }: RecentChecks): void {
    const known = this.checks.get(monitorId) ?? { ok: [], ms: [] };
    this.checks.set(monitorId, {
      monitorId,
      ok: [...known.ok, ...ok].slice(-shownChecks),
      ms: [...known.ms, ...ms].slice(-shownChecks),
    });
  }
}
