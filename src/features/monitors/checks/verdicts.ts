import type { PoolClient } from "pg";
import { transaction } from "../../../db/transaction.ts";
import { findUnobservedReason } from "../unobserved/queries.ts";
import { holdProject, insertEvent } from "../verdicts/queries.ts";
import { emitMonitor, recordVerdict, type VerdictChange } from "../verdicts/verdicts.ts";
import { type Checker, recordInOrder, type Watch } from "./checker.ts";
import type { CheckResult } from "./client.ts";
import { startDisturbance } from "./queries.ts";
import type { Opinion } from "./second-opinion.ts";

// What becomes of checks that differ from a monitor's status.

interface Finding {
  result: CheckResult;
  /** When the check began. */
  at: number;
}

/** The monitor is up: its first verdict, or the end of an outage. */
export async function confirmRecovery(checker: Checker, watch: Watch, finding: Finding): Promise<void> {
  const { monitor } = watch;
  const change = {
    status: "up" as const,
    at: checker.now(),
    since: new Date(finding.at),
    observedUntil: checker.observedUntil(monitor, finding.at),
    message: finding.result.message,
    context: contextOf(finding.result),
  };
  if (monitor.current_status === "pending") {
    if (await checker.firstVerdicts.record({ watched: { ...monitor }, change })) return settle(watch, "up");
    return checker.readAgain(watch);
  }
  await record(
    checker,
    watch,
    (tx) => recordVerdict(tx, checker.ctx, monitor, change),
    () => settle(watch, "up"),
  );
}

/**
 * As many checks failed as the monitor needs: it is down, unless another server of the organization gets the answer, or
 * something happens for which it is not observed.
 */
export async function confirmFall(
  checker: Checker,
  watch: Watch,
  finding: Finding & { isStale: () => boolean },
): Promise<void> {
  const { monitor, failures, firstFailureAt } = watch;
  const opinion = await checker.opinions.ask(monitor, finding.result, checker.reachOf(monitor));
  if (finding.isStale() || watch.monitor.revision !== monitor.revision) return;
  if (opinion?.isUp) return recordDisturbance(checker, watch, finding, opinion);
  const change: VerdictChange = {
    status: "down",
    at: checker.now(),
    since: new Date(firstFailureAt),
    observedUntil: checker.observedUntil(monitor, finding.at),
    message: finding.result.message,
    context: { ...contextOf(finding.result), failures, ...secondLook(opinion) },
    isConfirmedElsewhere: opinion !== undefined,
  };
  let reason: string | undefined;
  const fall = async (tx: PoolClient): Promise<boolean> => {
    // A rollback needs the project, and a deletion holds it before its monitors.
    await holdProject(tx, monitor.project_id);
    reason = await findUnobservedReason(tx, monitor.id, change.at);
    return reason !== undefined || recordVerdict(tx, checker.ctx, monitor, change);
  };
  await record(checker, watch, fall, () => {
    if (reason === undefined) return settle(watch, "down");
    watch.unobservedReason = reason;
    checker.skip(watch, firstFailureAt);
  });
}

/**
 * Changes the status in the database, after the changes of state that came before; `onRecorded` is called once that was committed.
 * When the verdict was outdated, the monitor is read again.
 */
async function record(
  checker: Checker,
  watch: Watch,
  work: (tx: PoolClient) => Promise<boolean>,
  onRecorded: () => void,
): Promise<void> {
  const states = checker.takeStates(watch.monitor.id);
  try {
    const isRecorded = await checker.inTurn(() =>
      transaction(checker.ctx.pool, async (tx) => {
        await recordInOrder(tx, states);
        return work(tx);
      }),
    );
    if (isRecorded) onRecorded();
    else await checker.readAgain(watch);
  } catch (error) {
    checker.putBackStates(states);
    throw error;
  }
}

function settle({ monitor }: Watch, status: "up" | "down"): void {
  monitor.current_status = status;
  monitor.state = status;
}

/** It answers elsewhere, so it is up; one event records that until it answers here again. */
async function recordDisturbance(
  checker: Checker,
  watch: Watch,
  { result, at }: Finding,
  opinion: Opinion,
): Promise<void> {
  const { monitor } = watch;
  const message = `It answers ${opinion.server.name}, but not Longshore: the way from here is disturbed. ${result.message}`;
  const context = { ...contextOf(result), ...secondLook(opinion), disturbed: true };
  if (monitor.current_status === "pending") {
    const change = { at: checker.now(), since: new Date(at), observedUntil: checker.observedUntil(monitor, at) };
    const up = { status: "up" as const, ...change, message, context };
    return record(
      checker,
      watch,
      (tx) => recordVerdict(tx, checker.ctx, monitor, up),
      () => settle(watch, "up"),
    );
  }
  checker.noteState(watch, "up", at);
  if (monitor.is_disturbed) return;
  await transaction(checker.ctx.pool, async (tx) => {
    if (!(await startDisturbance(tx, monitor, new Date(at)))) return;
    await insertEvent(tx, { monitorId: monitor.id, status: "up", message, context, at: new Date(at) });
    await emitMonitor(tx, monitor);
  });
  monitor.is_disturbed = true;
}

/** What a check saw, for programs. */
const contextOf = ({ status, error, phases, address }: CheckResult): Record<string, unknown> => ({
  status: status ?? null,
  latency_ms: phases.whole ?? null,
  error: error ?? null,
  address: address ?? null,
  phases_ms: phases,
});

const secondLook = (opinion: Opinion | undefined): Record<string, unknown> =>
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
