import type { PoolClient } from "pg";
import type { Context } from "../../../context.ts";
import { transaction } from "../../../db/transaction.ts";
import type { Plan } from "../../../engine/plan.ts";
import type { Run } from "../../../engine/queries.ts";
import { createRun, type RunKind, type RunSecrets } from "../../../engine/runs.ts";
import type { PeriodicTask } from "../../../engine/schedule/schedule.ts";
import { makeKeyPair } from "../../../host/ssh/key-pair.ts";
import { AppError, messageOf } from "../../../lib/errors.ts";
import { lockProjectForWork } from "../../projects/queries.ts";
import type { ProjectRow } from "../../projects/schema.ts";
import { recordDeployKey } from "../../sources/source.ts";
import { type DeploymentRow, deploymentStatus } from "../schema.ts";
import { appFilesOf } from "./apps.ts";
import { giveUp, leaveOn, switchOver } from "./leaving.ts";
import { buildingPlan, copyingPlan, finishingPlan, holdingPlan, openingPlan } from "./plans.ts";
import {
  type AttachedDatabase,
  clearingKind,
  enterPhase,
  listAttachedDatabases,
  listForsaken,
  listHolding,
  lockMove,
  lockMoving,
  moveKind,
  noteSilence,
  releaseKind,
  setKeys,
} from "./queries.ts";
import type { MovePhase, MoveRow } from "./schema.ts";
import { keyName } from "./source.ts";
import {
  builtInput,
  copyingSecrets,
  type DeploymentWork,
  finishingInput,
  finishingSecrets,
  originOf,
  servedInput,
  transitOnDestination,
  transitOnSource,
  type Work,
} from "./work.ts";

// The servers may be unreachable for long; the clean-up of a move waits for each until it is deleted.
const putRightForMs = 365 * 24 * 3600_000;
const answerMs = 5_000;
const destinationDeleted = "The server that the project was to come to was deleted.";

/** Begins a move whose turn it is, in the transaction that claims its deployment; returns the id of its first run. */
export async function beginMove(
  ctx: Context,
  tx: PoolClient,
  deployment: DeploymentRow,
  project: ProjectRow,
): Promise<number> {
  const move = await lockMove(tx, deployment.id);
  if (!move || move.source_id === null) throw new AppError("refused", "The move was given up.");
  if (move.destination_id === null) throw new AppError("refused", destinationDeleted);
  const keys = makeKeyPair(keyName({ deploymentId: deployment.id }));
  const sealed = { public: keys.publicKey, private: ctx.secrets.encrypt(keys.privateKey) };
  const plan = openingPlan(await transitOnSource(tx, move), keys.publicKey, appFilesOf(project));
  const runId = await createRun(tx, ctx.queue, {
    serverId: move.source_id,
    kind: moveKind,
    subjectId: deployment.id,
    plan,
  });
  await setKeys(tx, deployment.id, sealed);
  await enterPhase(tx, deployment.id, "opening", runId);
  return runId;
}

export const moveRunKinds = (
  ctx: Context,
  given: DeploymentWork,
  onProgress: NonNullable<RunKind["onProgress"]>,
): RunKind[] => {
  const putRight = (kind: string): RunKind => ({
    kind,
    unreachableAfterMs: putRightForMs,
    onProgress,
    onEnded: (tx, run, outcome) => leaveOn(tx, ctx, run, outcome === "succeeded"),
  });
  return [
    {
      kind: moveKind,
      secrets: (run) => secretsOf(ctx, given, run),
      onProgress,
      onEnded: (tx, run, outcome) => advance(ctx, given, tx, run, outcome),
    },
    putRight(releaseKind),
    putRight(clearingKind),
  ];
};

const nothing: RunSecrets = { files: {}, masked: [] };

async function secretsOf(ctx: Context, given: DeploymentWork, run: Run): Promise<RunSecrets> {
  switch (run.plan.kind) {
    case "move-copying":
      return copyingSecrets(ctx, run);
    case "move-finishing":
      return finishingSecrets(ctx, run, given);
    case "move-building":
      return given.secretsOf(run);
    default:
      return nothing;
  }
}

// In the transaction that stores the end of a phase's run: begins the next phase, or ends the move.
async function advance(ctx: Context, given: DeploymentWork, tx: PoolClient, run: Run, outcome: string): Promise<void> {
  const move = await lockMove(tx, run.subject_id);
  // Another run took its place.
  if (!move || move.run_id !== run.id || move.phase === "leaving") return;
  // In the order in which a deletion locks them.
  const project = await lockProjectForWork(tx, move.project_id);
  const deployment = await lockMoving(tx, move.deployment_id);
  if (!project || !deployment) return await giveUp(tx, ctx, move, endFor(undefined, "It was deleted."));
  if (outcome !== "succeeded" || deployment.status === deploymentStatus.cancelling) {
    return await giveUp(tx, ctx, move, endFor(deployment, run.error ?? "The run failed."));
  }
  await recordKey(tx, ctx, project.id, run);
  await goOn(ctx, given, tx, { move, deployment, project }, run);
}

// A requested cancel counts, also if the run failed for another reason.
const endFor = (deployment: DeploymentRow | undefined, error: string) =>
  deployment?.status === deploymentStatus.cancelling
    ? { outcome: "cancelled" as const, error: "Cancelled." }
    : { outcome: "failed" as const, error };

// The destination fetches with the copied deploy key, which the git host has already.
const recordKey = (
  tx: PoolClient,
  ctx: Context,
  projectId: number,
  { server_id: serverId, facts }: Run,
): Promise<void> => recordDeployKey(tx, ctx, { projectId, serverId, publicKey: facts.deploy_key });

async function goOn(ctx: Context, given: DeploymentWork, tx: PoolClient, work: Work, run: Run): Promise<void> {
  try {
    await refuseOtherDatabases(tx, work.move);
    if (work.move.phase === "finishing") return await switchOver(tx, ctx, work, run);
    const next = await nextPhase(ctx, given, tx, work);
    if (next.serverId === null) throw new AppError("refused", "A server of the move was deleted.");
    const { phase, serverId, plan } = next;
    const runId = await createRun(tx, ctx.queue, { serverId, kind: moveKind, subjectId: work.deployment.id, plan });
    await enterPhase(tx, work.deployment.id, phase, runId);
  } catch (error) {
    // Thrown before anything was written.
    if (!(error instanceof AppError)) throw error;
    await giveUp(tx, ctx, work.move, { outcome: "failed", error: error.message });
  }
}

// A database attached in the meantime was never copied, and would be left behind without its project.
async function refuseOtherDatabases(tx: PoolClient, { project_id: projectId, databases }: MoveRow): Promise<void> {
  const attached = await listAttachedDatabases(tx, projectId);
  const isSame = ({ database_name: name, username }: AttachedDatabase) =>
    databases.some((database) => database.name === name && database.username === username);
  if (attached.length === databases.length && attached.every(isSame)) return;
  throw new AppError("refused", "The project's databases were changed while it was being moved. Move it again.");
}

interface NextPhase {
  phase: MovePhase;
  serverId: number | null;
  plan: Plan;
}

async function nextPhase(ctx: Context, given: DeploymentWork, tx: PoolClient, work: Work): Promise<NextPhase> {
  const { move, project } = work;
  const there = transitOnDestination(move);
  switch (move.phase) {
    case "opening": {
      const { project: prepared } = await servedInput(tx, work);
      const plan = copyingPlan(there, await originOf(tx, work), prepared);
      return { phase: "copying", serverId: move.destination_id, plan };
    }
    case "copying":
      // The release of an application was copied.
      if (appFilesOf(project)) return await holdNext(tx, move);
      return {
        phase: "building",
        serverId: move.destination_id,
        plan: buildingPlan(there, {
          ...(await builtInput(tx, given, work)),
          nodeMirror: ctx.config.nodeMirror,
        }),
      };
    case "building":
      return await holdNext(tx, move);
    case "holding": {
      const input = await finishingInput(tx, ctx, given, work);
      const plan = finishingPlan(there, await originOf(tx, work), input);
      return { phase: "finishing", serverId: move.destination_id, plan };
    }
    default:
      throw new Error(`Nothing comes after ${move.phase}`);
  }
}

const holdNext = async (tx: PoolClient, move: MoveRow): Promise<NextPhase> => ({
  phase: "holding",
  serverId: move.source_id,
  plan: holdingPlan(await transitOnSource(tx, move)),
});

// Reconciliation ------------------------------------------------------------------------------------------------------

export const moveSchedules = (ctx: Context): PeriodicTask[] => [
  { name: "reconcile-moves", everyMs: 5_000, work: () => reconcileMoves(ctx) },
];

async function reconcileMoves(ctx: Context): Promise<void> {
  for (const { deployment_id: id } of await listForsaken(ctx.pool)) await giveUpForsaken(ctx, id);
  await Promise.all((await listHolding(ctx.pool)).map((holding) => giveUpSilent(ctx, holding)));
}

// The project, or one of the servers, was deleted during the move.
async function giveUpForsaken(ctx: Context, deploymentId: number): Promise<void> {
  await transaction(ctx.pool, async (tx) => {
    const move = await lockMove(tx, deploymentId);
    const deployment = await lockMoving(tx, deploymentId);
    if (!move || (deployment && move.destination_id !== null)) return;
    await giveUp(tx, ctx, move, endFor(deployment, deployment ? destinationDeleted : "It was deleted."));
  });
}

/**
 * While no visitor is served, the wait for an unreachable server is shorter than for other runs: the source then serves again.
 * Changes on the destination are undone when it returns.
 */
async function giveUpSilent(
  ctx: Context,
  { deployment_id: deploymentId, run_id: runId, server_id: serverId }: Awaited<ReturnType<typeof listHolding>>[number],
): Promise<void> {
  const silence = await hearFrom(ctx, serverId);
  const seconds = await noteSilence(ctx.pool, runId, silence !== undefined);
  if (silence === undefined || seconds < ctx.config.moveSilenceSeconds) return;
  await transaction(ctx.pool, async (tx) => {
    const move = await lockMove(tx, deploymentId);
    if (!isStillIn(move, runId)) return;
    const deployment = await lockMoving(tx, deploymentId);
    const error = `${silence} The project was not moved, so that its visitors need not wait.`;
    await giveUp(tx, ctx, move, endFor(deployment, error));
  });
}

const isStillIn = (move: MoveRow | undefined, runId: number): move is MoveRow =>
  move !== undefined && move.run_id === runId && move.phase !== "leaving";

/** The error of a server's connection; undefined if it responds. */
async function hearFrom(ctx: Context, serverId: number): Promise<string | undefined> {
  try {
    await (await ctx.hosts.get(serverId)).prove(answerMs);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
