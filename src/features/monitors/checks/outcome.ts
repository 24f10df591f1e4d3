import type { PoolClient } from "pg";
import type { Context } from "../../../context.ts";
import { transaction } from "../../../db/transaction.ts";
import type { Clock } from "../../../lib/clock.ts";
import { findUnobservedReason } from "../unobserved/queries.ts";
import type { VerdictChange } from "../verdicts/queries.ts";
import { holdProject, insertEvent } from "../verdicts/queries.ts";
import { emitMonitor, recordVerdict } from "../verdicts/record.ts";
import type { CheckResult } from "./client.ts";
import { FirstVerdicts } from "./first-verdicts.ts";
import { startDisturbance } from "./queries.ts";
import type { Reaches } from "./reach.ts";
import { type Opinion, SecondOpinions } from "./second-opinion.ts";
import { observedUntil, type Storage } from "./storage.ts";
import type { Watch, Watches } from "./watches.ts";

interface Finding {
  result: CheckResult;
  /** When the check began. */
  at: number;
}

interface OutcomeDeps {
  ctx: Pick<Context, "config" | "pool" | "log" | "queue" | "hosts">;
  clock: Clock;
  watches: Watches;
  reaches: Reaches;
  storage: Storage;
  limitVerdicts: <Done>(work: () => Promise<Done>) => Promise<Done>;
}

/** Changes the status of a monitor after checks that differ from it. */
export class Outcomes {
  private readonly deps: OutcomeDeps;
  private readonly firstVerdicts: FirstVerdicts;
  private readonly opinions: SecondOpinions;

  constructor(deps: OutcomeDeps) {
    this.deps = deps;
    this.firstVerdicts = new FirstVerdicts(deps.ctx.pool);
    this.opinions = new SecondOpinions(deps.ctx);
  }

  /** The monitor is up: its first verdict, or the end of an outage. */
  async recordRecovery(watch: Watch, { result, at }: Finding): Promise<void> {
    const { ctx, clock, watches } = this.deps;
    const { monitor } = watch;
    const change = {
      status: "up" as const,
      at: clock.now(),
      since: new Date(at),
      observedUntil: observedUntil(monitor, at),
      message: result.message,
      context: contextOf(result),
    };
    if (monitor.current_status === "pending") {
      if (await this.firstVerdicts.record({ watched: { ...monitor }, change })) return settle(watch, "up");
      return watches.readAgain(watch);
    }
    await this.record(
      watch,
      (tx) => recordVerdict(tx, ctx, monitor, change),
      () => settle(watch, "up"),
    );
  }

  /**
   * Enough checks of the monitor have failed: it is down, unless another server of the organization gets a good response, or it
   * is unobserved for a reason such as maintenance.
   */
  async confirmFall(watch: Watch, finding: Finding & { isStale: () => boolean }): Promise<void> {
    const { ctx, clock, reaches, storage } = this.deps;
    const { monitor, failures, firstFailureAt } = watch;
    const opinion = await this.opinions.ask(monitor, finding.result, reaches.elsewhere(monitor));
    if (finding.isStale() || watch.monitor.revision !== monitor.revision) return;
    if (opinion?.isUp) return this.recordDisturbance(watch, finding, opinion);
    const change: VerdictChange = {
      status: "down",
      at: clock.now(),
      since: new Date(firstFailureAt),
      observedUntil: observedUntil(monitor, finding.at),
      message: finding.result.message,
      context: { ...contextOf(finding.result), failures, ...opinionContext(opinion) },
      isConfirmedElsewhere: opinion !== undefined,
    };
    let reason: string | undefined;
    const recordFall = async (tx: PoolClient): Promise<boolean> => {
      // A rollback locks the project, and a deletion locks it before its monitors.
      await holdProject(tx, monitor.project_id);
      reason = await findUnobservedReason(tx, monitor.id, change.at);
      return reason !== undefined || recordVerdict(tx, ctx, monitor, change);
    };
    await this.record(watch, recordFall, () => {
      if (reason === undefined) return settle(watch, "down");
      watch.unobservedReason = reason;
      storage.skip(watch, firstFailureAt);
    });
  }

  /**
   * Changes the status in the database, after the earlier state changes; `onRecorded` is called after the commit. If the verdict
   * was outdated, the monitor is read again.
   */
  private async record(
    watch: Watch,
    work: (tx: PoolClient) => Promise<boolean>,
    onRecorded: () => void,
  ): Promise<void> {
    const { ctx, watches, storage, limitVerdicts } = this.deps;
    const isRecorded = await storage.withStates(watch.monitor.id, (storeStates) =>
      limitVerdicts(() =>
        transaction(ctx.pool, async (tx) => {
          await storeStates(tx);
          return work(tx);
        }),
      ),
    );
    if (isRecorded) onRecorded();
    else await watches.readAgain(watch);
  }

  /** It responds elsewhere, so it is up; one event records the disturbance until it responds here again. */
  private async recordDisturbance(watch: Watch, { result, at }: Finding, opinion: Opinion): Promise<void> {
    const { ctx, clock, storage } = this.deps;
    const { monitor } = watch;
    const message = `It answers another server, but not Longshore: the way from here is disturbed. ${result.message}`;
    const context = { ...contextOf(result), ...opinionContext(opinion), disturbed: true };
    if (monitor.current_status === "pending") {
      const change = { at: clock.now(), since: new Date(at), observedUntil: observedUntil(monitor, at) };
      const up = { status: "up" as const, ...change, message, context };
      return this.record(
        watch,
        (tx) => recordVerdict(tx, ctx, monitor, up),
        () => settle(watch, "up"),
      );
    }
    storage.addState(watch, "up", at);
    if (monitor.is_disturbed) return;
    await transaction(ctx.pool, async (tx) => {
      if (!(await startDisturbance(tx, monitor, new Date(at)))) return;
      await insertEvent(tx, { monitorId: monitor.id, status: "up", message, context, at: new Date(at) });
      await emitMonitor(tx, monitor);
    });
    monitor.is_disturbed = true;
  }
}

function settle({ monitor }: Watch, status: "up" | "down"): void {
  monitor.current_status = status;
  monitor.state = status;
}

/** The result of a check, for programs. */
const contextOf = ({ status, error, phases, address }: CheckResult): Record<string, unknown> => ({
  status: status ?? null,
  latency_ms: phases.whole ?? null,
  error: error ?? null,
  address: address ?? null,
  phases_ms: phases,
});

const opinionContext = (opinion: Opinion | undefined): Record<string, unknown> =>
  opinion === undefined
    ? {}
    : {
        second_opinion: {
          server_id: opinion.server.id,
          server_name: opinion.server.name,
          is_up: opinion.isUp,
          status: opinion.status,
          message: opinion.message,
        },
      };
