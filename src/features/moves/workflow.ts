import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import type { Kind } from "../../engine/kind.ts";
import type { Plan } from "../../engine/runs/plan.ts";
import type { Run } from "../../engine/runs/queries.ts";
import { startWorkflow } from "../../engine/workflow/start.ts";
import type { Phase, PhaseRun, RunPhase, Workflow, WorkflowKind } from "../../engine/workflow/workflow.ts";
import { makeKeyPair } from "../../host/ssh/key-pair.ts";
import { AppError } from "../../lib/errors.ts";
import { secretsOf } from "../deployments/planning.ts";
import { emitProgress } from "../deployments/progress.ts";
import { setDeploymentRun } from "../deployments/queries.ts";
import type { DeploymentRow } from "../deployments/schema.ts";
import { onServer } from "../projects/on-server.ts";
import { lockProjectForWork } from "../projects/queries.ts";
import type { ProjectRow } from "../projects/schema.ts";
import { recordDeployKey } from "../sources/source.ts";
import { appFilesOf } from "./apps.ts";
import { abandonMove } from "./ending.ts";
import { buildingPlan, copyingPlan, finishingPlan, holdingPlan, openingPlan } from "./plans.ts";
import { heldKind, moveKind, setKey } from "./queries.ts";
import type { MoveData } from "./schema.ts";
import { keyName } from "./source.ts";
import { switchServers } from "./switch.ts";
import {
  builtInput,
  copyingSecrets,
  finishingInput,
  finishingSecrets,
  getWork,
  originOf,
  servedInput,
  transitOnOther,
  transitOnSource,
  type Work,
} from "./work.ts";

type Moving = Workflow<MoveData>;

/** Starts a move whose turn it is, in the transaction that claims its deployment. */
export const startMove = (tx: PoolClient, { queue }: Context, { id }: DeploymentRow, project: ProjectRow) =>
  startWorkflow<MoveData>(tx, queue, {
    ...moveKind,
    subjectId: id,
    organizationId: project.organization_id,
    data: { projectId: project.id, isApp: project.source_type === "app" },
  });

/**
 * A move, up to the moment at which the destination is the project's server. The source serves until it is held. If a phase fails,
 * `abandonMove` begins to restore the source and to clear the destination; after the switch only the source is to be cleared.
 * Targets do that, for as long as a server is away.
 */
export function moveWorkflow(ctx: Context): WorkflowKind<MoveData> {
  const silenceMs = ctx.config.moveSilenceSeconds * 1_000;
  const onServer = (
    name: string,
    label: string,
    run: RunPhase<MoveData>["run"],
    more: Partial<RunPhase<MoveData>> = {},
  ): RunPhase<MoveData> => ({
    name,
    label,
    run,
    onProgress: (tx, progress) => emitProgress(tx, ctx, progress),
    ...more,
  });
  const held = { timeoutMs: silenceMs };
  const phases: Phase<MoveData>[] = [
    onServer(
      "open",
      "Let the destination read the project",
      onSource((tx, work) => open(tx, ctx, work)),
    ),
    onServer("copy", "Copy its data while it serves", onDestination(copy), {
      secrets: (_, run) => copyingSecrets(ctx, run),
      onSucceeded: (tx, workflow, run) => recordKey(tx, ctx, workflow, run),
    }),
    onServer(
      "build",
      "Build the live commit",
      onDestination((tx, work) => build(tx, ctx, work)),
      {
        // The release of an application was copied.
        skip: ({ isApp }) => isApp,
        secrets: (_, run) => secretsOf(ctx, run),
        onSucceeded: (tx, workflow, run) => recordKey(tx, ctx, workflow, run),
      },
    ),
    onServer("hold", "Hold visitors", onSource(hold, heldKind), held),
    onServer(
      "finish",
      "Copy what has changed and start the release",
      onDestination((tx, work) => finish(tx, ctx, work), heldKind),
      { ...held, secrets: (_, run) => finishingSecrets(ctx, run) },
    ),
    {
      name: "switch",
      label: "Make the destination the project's server",
      call: ({ workflow, save }) => save({}, (tx) => switchServers(tx, ctx, workflow.subjectId)),
      ...held,
    },
  ];
  return {
    ...moveKind,
    phases,
    // While no visitor is served, the wait for a server that does not answer is short: the source then serves again.
    runKinds: [{ ...heldKind, unreachableAfterMs: silenceMs, abandonAfterMs: silenceMs }],
    // A deletion of the project cancels the run of its deployment.
    onChanged: async (tx, { subjectId, runId }) => {
      if (runId !== null) await setDeploymentRun(tx, subjectId, runId);
    },
    onEnded: async (tx, workflow) => {
      if (workflow.state !== "succeeded") await abandonMove(tx, ctx, workflow);
    },
  };
}

type PlanOf = (tx: PoolClient, work: Work) => Promise<Plan>;

const onSource = (planOf: PlanOf, kind = moveKind) => onSide("source_id", planOf, kind);
const onDestination = (planOf: PlanOf, kind = moveKind) => onSide("destination_id", planOf, kind);

const onSide =
  (side: "source_id" | "destination_id", planOf: PlanOf, kind: Kind) =>
  async (tx: PoolClient, { subjectId }: Moving): Promise<PhaseRun> => {
    try {
      const work = await getWork(tx, subjectId);
      return { serverId: work.move[side], ...kind, plan: await planOf(tx, work) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // A plan that cannot be made is not attempted again: visitors may be waiting.
      throw new AppError(error.code, error.message, { cause: error, permanent: true });
    }
  };

// Phases -------------------------------------------------------------------------------------------------------------------

async function open(tx: PoolClient, ctx: Context, { move, project }: Work): Promise<Plan> {
  const transit = await transitOnSource(tx, move);
  const { publicKey, privateKey } = makeKeyPair(keyName(transit));
  await setKey(tx, move.deployment_id, ctx.secrets.encrypt(privateKey));
  return openingPlan(transit, publicKey, onServer(project, false), appFilesOf(project));
}

async function copy(tx: PoolClient, work: Work): Promise<Plan> {
  const { project } = await servedInput(tx, work);
  return copyingPlan(transitOnOther(work.move), await originOf(tx, work), project);
}

async function build(tx: PoolClient, ctx: Context, work: Work): Promise<Plan> {
  const input = await builtInput(tx, ctx, work);
  return buildingPlan(transitOnOther(work.move), { ...input, nodeMirror: ctx.config.nodeMirror });
}

const hold = async (tx: PoolClient, { move }: Work): Promise<Plan> => holdingPlan(await transitOnSource(tx, move));

async function finish(tx: PoolClient, ctx: Context, work: Work): Promise<Plan> {
  const input = await finishingInput(tx, ctx, work);
  return finishingPlan(transitOnOther(work.move), await originOf(tx, work), input);
}

// The destination fetches with the copied deploy key, which the git host has already.
async function recordKey(tx: PoolClient, ctx: Context, { data: { projectId } }: Moving, run: Run): Promise<void> {
  if (!(await lockProjectForWork(tx, projectId))) return;
  await recordDeployKey(tx, ctx, { projectId, serverId: run.server_id, publicKey: run.facts.deploy_key });
}
