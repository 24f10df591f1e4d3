import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { row, rows, sql } from "../../../db/sql.ts";
import { raiseWanted } from "../../../engine/reconcile/queries.ts";
import { insertRun } from "../../../engine/runs/queries.ts";
import { somePlan } from "../../../engine/tests/support.ts";
import { insertWorkflow } from "../../../engine/workflow/queries.ts";
import { kindsOf } from "../../../features.ts";
import { call } from "../../../http/tests/support.ts";
import { createProject, openStage, type Stage } from "./support.ts";

let stage: Stage;

before(async () => {
  stage = await openStage();
});

after(() => stage.close());

// Not derived from the declarations: a kind with a wrong subject would outlast its project.
const projectRuns = [
  ...[
    "site",
    "balancer-site",
    "maintenance",
    "certificate",
    "certificate-install",
    "certificate-cleanup",
    "deploy-key",
    "forwarding",
  ],
  ...["jobs", "job-command", "command", "build-cache", "app-install", "app-update", "app-address", "write-pool"],
];
const projectTargets = [
  "site",
  "balancer-site",
  "certificate-cleanup",
  "deploy-key",
  "forwarding",
  "jobs",
  "app-address",
  "write-pool",
];

it("ends the work of every feature for a deleted project, and no other work", async () => {
  const { ctx, pool, serverId } = stage;
  const id = await createProject(stage);
  const { runs, targets, workflows } = kindsOf(ctx);
  for (const { kind, subject } of runs)
    await insertRun(pool, { kind, subject, subjectId: id, serverId, plan: somePlan });
  for (const { kind, subject } of targets.filter((target) => "desired" in target))
    await raiseWanted(pool, { kind, subject, subjectId: id, serverId });
  for (const { kind, subject } of workflows) await insertWorkflow(pool, { kind, subject, subjectId: id, data: {} });

  const before = await targetsOf(id);
  const { status } = await call(stage.app, `DELETE /api/v1/project/${id}`, { token: stage.cast.alice });
  assert.equal(status, 200);

  const cancelled = await rows<{ id: number; kind: string }>(
    pool,
    sql`select id, kind from runs where subject_id = ${id} and cancel_requested_at is not null order by id`,
  );
  assert.deepEqual(namesOf(cancelled), projectRuns.toSorted());
  const removal = await row(pool, sql`select run_ids from removals where project_id = ${id}`);
  assert.deepEqual(removal, { run_ids: cancelled.map((run) => run.id) });
  const left = new Set(await targetsOf(id));
  assert.deepEqual(
    before.filter((kind) => !left.has(kind)),
    projectTargets.toSorted(),
  );
  const ending = await rows<{ kind: string }>(
    pool,
    sql`select kind from workflows where subject_id = ${id} and cancel_requested_at is not null`,
  );
  assert.deepEqual(namesOf(ending), ["app-install"]);
});

const namesOf = (found: readonly { kind: string }[]): string[] => found.map(({ kind }) => kind).toSorted();

const targetsOf = async (id: number): Promise<string[]> =>
  namesOf(await rows(stage.pool, sql`select kind from targets where subject_id = ${id}`));
