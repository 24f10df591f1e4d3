import type { Run, RunStep, StepStatus } from "../../../engine/runs/queries.ts";
import type { OrderProgress, SetupStep } from "../hooks.ts";
import { setupPhases } from "./plans.ts";
import type { CountedSetup, SetupRun } from "./queries.ts";
import type { SetupState } from "./schema.ts";

const statusLabels: Record<StepStatus, string> = {
  pending: "Pending",
  running: "Running",
  completed: "Completed",
  failed: "Failed",
  skipped: "Skipped",
  unreported: "Never reported",
};

/** The input of a setup record, besides the steps. */
type Setup = Pick<Run, "id" | "state" | "error" | "started_at" | "ended_at">;

/** The setup record of the API, from the order of the machine, if it was ordered, and the run. */
export function setupRecord(
  serverId: number,
  {
    run,
    steps: ofRun,
    order,
  }: { run: Setup | undefined; steps: readonly RunStep[]; order?: OrderProgress | undefined },
) {
  const steps: readonly SetupStep[] = [...(order?.steps ?? []), ...ofRun];
  const timed = steps.filter((step) => step.duration_ms !== null);
  const current = steps.find((step) => step.status === "running") ?? steps.findLast((step) => step.started_at !== null);
  const sorted = timed.toSorted((a, b) => (b.duration_ms ?? 0) - (a.duration_ms ?? 0));
  return {
    server_id: serverId,
    run_id: run?.id ?? null,
    recorded: run !== undefined || order !== undefined,
    state: order && !run ? order.state : setupState(run, summaryOf(ofRun)),
    summary: summaryOf(steps),
    phases: phasesOf(steps),
    attention: steps.filter(needsAttention).map(stepRecord),
    slowest: sorted.slice(0, 5).map(({ key, label, phase, duration_ms }) => ({ key, label, phase, duration_ms })),
    total_duration_ms: durationOf(run, ofRun) + durationOf(undefined, order?.steps ?? []),
    current_step: run?.state === "succeeded" ? null : (current?.label ?? null),
    error: run?.error ?? order?.error ?? null,
  };
}

const needsAttention = ({ status }: SetupStep): boolean => status === "failed" || status === "unreported";

/** The part of the setup record in the record of its server. */
export const setupSummary = (run: CountedSetup | undefined, order: OrderProgress | undefined) => ({
  state: order && !run ? order.state : setupState(run, run ?? noSteps),
  attention_count: (run?.failed ?? 0) + (run?.unreported ?? 0) + (order?.steps ?? []).filter(needsAttention).length,
});

const noSteps = { pending: 0, failed: 0, unreported: 0 };

/** An entry of the list of a server's setups. */
export const setupRunRecord = (run: SetupRun, steps: readonly RunStep[]) => ({
  id: run.id,
  state: setupState(run, summaryOf(steps)),
  setup_version: run.setup_version,
  summary: summaryOf(steps),
  total_duration_ms: durationOf(run, steps),
  error: run.error,
  created_at: run.created_at,
  started_at: run.started_at,
  ended_at: run.ended_at,
});

export function summaryOf(steps: readonly SetupStep[]) {
  const count = (status: StepStatus) => steps.filter((step) => step.status === status).length;
  return {
    total: steps.length,
    pending: count("pending"),
    running: count("running"),
    completed: count("completed"),
    failed: count("failed"),
    skipped: count("skipped"),
    unreported: count("unreported"),
  };
}

export const stepRecord = (step: SetupStep) => ({
  key: step.key,
  label: step.label,
  phase: step.phase,
  status: step.status,
  status_label: statusLabels[step.status],
  detail: step.detail,
  duration_ms: step.duration_ms,
  started_at: step.started_at,
  finished_at: step.finished_at,
});

export function setupState(
  run: Pick<Setup, "state" | "ended_at"> | undefined,
  { pending, failed, unreported }: typeof noSteps,
): SetupState {
  if (!run) return "not_recorded";
  if (run.ended_at === null) return "running";
  if (run.state === "stalled") return pending > 0 ? "failed" : "stalled";
  if (run.state !== "succeeded") return "failed";
  if (failed > 0) return "completed_with_failures";
  return unreported > 0 ? "completed_with_gaps" : "completed";
}

const phaseLabels: Record<string, string> = { order: "Order the machine", ...setupPhases };

function phasesOf(steps: readonly SetupStep[]) {
  return [...Map.groupBy(steps, (step) => step.phase)].map(([phase, members]) => {
    const failed = members.filter((step) => step.status === "failed").length;
    return {
      phase,
      label: phaseLabels[phase] ?? phase,
      total: members.length,
      completed: members.filter((step) => step.status === "completed").length,
      ...(failed > 0 ? { failed } : {}),
      duration_ms: members.reduce((sum, step) => sum + (step.duration_ms ?? 0), 0),
    };
  });
}

function durationOf(run: Setup | undefined, steps: readonly SetupStep[]): number {
  if (run?.started_at && run.ended_at) return Math.max(0, Date.parse(run.ended_at) - Date.parse(run.started_at));
  return steps.reduce((sum, step) => sum + (step.duration_ms ?? 0), 0);
}
