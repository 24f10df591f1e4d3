import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { row, rows, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { targetRunKind } from "../../../engine/reconcile/apply.ts";
import { findTarget } from "../../../engine/reconcile/queries.ts";
import { awaitApplied } from "../../../engine/reconcile/reconcile.ts";
import type { SecretFiles } from "../../../engine/runs/bundle.ts";
import type { Outcome } from "../../../engine/runs/journal.ts";
import { markIn } from "../../../engine/runs/plan.ts";
import { endRun, findRun, findRunOf, type Run } from "../../../engine/runs/queries.ts";
import { advanceAll, reconcileAll } from "../../../engine/tests/engines.ts";
import { completeSteps } from "../../../engine/tests/support.ts";
import { findWorkflow } from "../../../engine/workflow/queries.ts";
import { workflowRunKinds } from "../../../engine/workflow/runs.ts";
import type { Workflow } from "../../../engine/workflow/workflow.ts";
import { jobsOf, periodicTask } from "../../../features.ts";
import { call, type Reply } from "../../../http/tests/support.ts";
import {
  addProject,
  addProvisioned,
  attendRun,
  deploy,
  deployed,
  dispatch,
  findRow,
  openStage,
  type Stage,
} from "../../deployments/tests/support.ts";
import { jobTargets } from "../../jobs/jobs.ts";
import { jobsKind } from "../../jobs/schema.ts";
import { projectTargets } from "../../projects/jobs.ts";
import { onServer } from "../../projects/on-server.ts";
import { findProjectForWork, lockProjectForWork } from "../../projects/queries.ts";
import { contentsOf, emptyQueue, jobsIn, untilWaiting } from "../../servers/tests/support.ts";
import { publishKind } from "../../site-records/schema.ts";
import { siteTargets } from "../../sites/jobs.ts";
import { beginPublication } from "../../sites/publish.ts";
import { siteTarget } from "../../sites/target.ts";
import { moveTargets, moveWorkflows } from "../jobs.ts";
import type { MoveRow } from "../schema.ts";

let stage: Stage;
let east: number;
let west: number;
let project: number;

before(async () => {
  stage = await openStage();
  east = await addProvisioned(stage, { name: "east" });
  west = await addProvisioned(stage, { name: "west" });
});
after(() => stage.close());

const post = (path: string, body: object = {}, token = stage.cast.alice): Promise<Reply> =>
  call(stage.app, `POST /api/v1${path}`, { token, body });
const get = (path: string): Promise<Reply> => call(stage.app, `GET /api/v1${path}`, { token: stage.cast.alice });

const requestMove = (serverId: unknown = west, id = project): Promise<Reply> =>
  post(`/projects/${id}/move`, { server_id: serverId });

async function installed(node = false): Promise<number> {
  project = await addProject(stage.pool, east);
  if (node)
    await stage.pool.query(
      "with p as (update projects set framework_id = 8 where id = $1) update placements set port_pair = 30000 + project_id * 2 where project_id = $1",
      [project],
    );
  await deployed(stage, project, east);
  return project;
}

async function attachDatabase(name: string, engine = "mariadb"): Promise<void> {
  await stage.pool.query(
    `insert into databases (server_id, project_id, database_type, database_name, username, password, status)
     values ($1, $2, $3, $4, $4, $5, 1)`,
    [east, project, engine, name, stage.ctx.secrets.encrypt("a password")],
  );
}

/** The servers of the project, with what each is to it. */
const placements = async (): Promise<Record<number, string>> => {
  const query = sql`select server_id, role from placements where project_id = ${project}`;
  const found = await rows<{ server_id: number; role: string }>(stage.pool, query);
  return Object.fromEntries(found.map(({ server_id: id, role }) => [id, role]));
};
const moveOf = (id: number) => row<MoveRow>(stage.pool, sql`select * from moves where deployment_id = ${id}`);

/** The newest run of the project's jobs, once the engine has begun the one that is due. */
async function runOfJobs(): Promise<Run | undefined> {
  await reconcileAll(stage.ctx, jobTargets(stage.ctx));
  return findRunOf(stage.pool, jobsKind, project);
}

const projectRow = async (id = project) =>
  (await row<{ server_id: number; port_pair: number | null; live_deployment_id: number }>(
    stage.pool,
    sql`select server_id, port_pair, live_deployment_id from placements where project_id = ${id} and role = 'own'`,
  )) as { server_id: number; port_pair: number | null; live_deployment_id: number };

const runsOf = (id: number): Promise<Run[]> =>
  rows<Run>(stage.pool, sql`select * from runs where kind like 'move%' and subject_id = ${id} order by id`);

const underWay = async (id: number): Promise<Run[]> => (await runsOf(id)).filter((run) => run.ended_at === null);

const workflows = () => moveWorkflows(stage.ctx);
const targets = () => moveTargets(stage.ctx);

const moveRunKinds = () => [
  ...workflows().flatMap((kind) => workflowRunKinds(stage.ctx, kind)),
  ...targets().map((kind) => targetRunKind(stage.ctx, kind)),
];

/** Does what the jobs of moves do, until only servers are waited for. */
async function proceed(): Promise<void> {
  await advanceAll(stage.ctx, workflows());
  await reconcileAll(stage.ctx, targets());
}

/** Ends a run as its follower does; all of its steps succeeded, or none. */
async function endIt(runId: number, outcome: Outcome, facts: Record<string, string> = {}): Promise<void> {
  const kinds = moveRunKinds();
  await stage.pool.query("update runs set facts = $1 where id = $2", [facts, runId]);
  if (outcome === "succeeded") {
    await completeSteps(stage.pool, runId);
  }
  await transaction(stage.pool, async (tx) => {
    const run = await endRun(tx, runId, { state: outcome, error: outcome === "succeeded" ? null : "It went wrong." });
    if (run) await kinds.find((kind) => kind.kind === run.kind)?.onEnded(tx, run, outcome);
  });
  await proceed();
}

async function begin(serverId: number): Promise<void> {
  await dispatch(stage, serverId);
  await proceed();
}

/** A move up to the run of this plan, which is under way; returns the ids of its deployment and of that run. */
async function movingIn(plan: string, to = west): Promise<{ id: number; run: Run }> {
  const id = (await requestMove(to)).body.deployment_id as number;
  await begin(to);
  for (;;) {
    const [run] = await underWay(id);
    assert.ok(run, `${plan} comes`);
    if (run.plan.kind === plan) return { id, run };
    await endIt(run.id, "succeeded");
  }
}

const endAll = async (id: number): Promise<void> => {
  for (const run of await underWay(id)) await endIt(run.id, "succeeded");
};

const deleteServer = async (id: number): Promise<void> =>
  assert.equal((await call(stage.app, `DELETE /api/v1/servers/${id}`, { token: stage.cast.alice })).status, 200);

/** Does what a worker does with the runs that are under way: their servers do not answer. */
async function attendRuns(id: number): Promise<void> {
  for (const run of await underWay(id)) await attendRun(stage, run.id);
  await proceed();
}

const deleteFinishedMoves = () => periodicTask(stage.ctx, "delete-finished-moves").work(new AbortController().signal);

describe("a request to move", () => {
  beforeEach(() => installed());

  it("queues a deployment of the live release on the destination", async () => {
    const reply = await requestMove();
    assert.equal(reply.status, 202);
    assert.equal(reply.body.status, "success");
    assert.equal(reply.body.project_id, project);
    const { domains } = (await get(`/projects/${project}`)).body;
    const [server] = await rows<{ public_ip: string }>(
      stage.pool,
      sql`select public_ip from servers where id = ${west}`,
    );
    assert.deepEqual(
      reply.body.dns_records,
      domains.map((domain: { domain_name: string }) => ({
        name: domain.domain_name,
        type: "A",
        value: server?.public_ip,
      })),
    );
    const queued = await findRow(stage, reply.body.deployment_id);
    const { process_type, status, server_id, commit_id } = queued;
    assert.deepEqual(
      { process_type, status, server_id, commit_id },
      {
        process_type: "move",
        status: 0,
        server_id: west,
        commit_id: "a".repeat(40),
      },
    );
    assert.equal((await projectRow()).server_id, east);
  });

  it("is refused for an unsuitable destination", async () => {
    const database = await addProvisioned(stage, { server_type: 1 });
    const unready = await addProvisioned(stage);
    await stage.pool.query("update servers set server_status = 1 where id = $1", [unready]);
    for (const [id, sentence] of [
      [east, /on this server already/],
      [database, /must be an App server/],
      [unready, /setup of .* has not ended/],
    ] as const) {
      const reply = await requestMove(id);
      assert.equal(reply.status, 422);
      assert.match(reply.body.errors.server_id, sentence);
    }
    assert.equal((await requestMove(undefined)).status, 202);
  });

  it("gets 404 if the project or the destination is out of reach", async () => {
    assert.equal((await requestMove(999_999)).status, 404);
    const foreign = await addProvisioned(stage, {}, stage.cast.charlie);
    assert.equal((await requestMove(foreign)).status, 404);
    const restrict = (servers: number[], projects: number[]) =>
      stage.pool.query(
        "update memberships set restricted = true, server_ids = $1, project_ids = $2 where user_id = $3",
        [servers, projects, stage.cast.userIds.bob],
      );
    await restrict([east], []);
    assert.equal((await post(`/projects/${project}/move`, { server_id: west }, stage.cast.bob)).status, 404);
    await restrict([west], [project]);
    assert.equal((await post(`/projects/${project}/move`, { server_id: west }, stage.cast.bob)).status, 404);
    await restrict([east, west], []);
    assert.equal((await post(`/projects/${project}/move`, { server_id: west }, stage.cast.bob)).status, 202);
  });

  it("is only planned by a dry run, which is refused like the move", async () => {
    await installed();
    const plan = (serverId: number) => post(`/projects/${project}/move?dry_run=1`, { server_id: serverId });
    const before = await contentsOf(stage.pool);
    const { status, body } = await plan(west);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body.plan, { lost: [], price: null, needs_build: true, warnings: [] });
    assert.match(body.message, /would be moved to west, which builds the commit that is live/);
    for (const serverId of [east, 999_999])
      assert.deepEqual((await plan(serverId)).body, (await requestMove(serverId)).body);
    assert.deepEqual(await contentsOf(stage.pool), before);
    await deploy(stage, project);
    const [planned, real] = [await plan(west), await requestMove()];
    assert.deepEqual([planned.status, planned.body], [422, real.body]);
  });

  it("is refused if the environment names a database that would stay behind, unless it is confirmed", async () => {
    await installed();
    const environment = stage.ctx.secrets.encrypt("DB_HOST=127.0.0.1\nDB_DATABASE=crm\nDB_USERNAME=crm\n");
    await stage.pool.query("update projects set environment_variables = $2 where id = $1", [project, environment]);
    await attachDatabase("crm");
    const attach = (to: number | null) =>
      stage.pool.query("update databases set project_id = $1 where database_name = 'crm'", [to]);
    await attach(null);
    const { status, body } = await requestMove();
    assert.equal(status, 422);
    assert.match(body.errors.server_id, /names the database crm, which is not attached to it .* Attach it/);
    await attach(project);
    assert.equal((await requestMove()).status, 202);
    await installed();
    await stage.pool.query("update projects set environment_variables = $2 where id = $1", [project, environment]);
    const wanted = await post(`/projects/${project}/move`, { server_id: west, leave_databases: true });
    assert.equal(wanted.status, 202, JSON.stringify(wanted.body));
    await stage.pool.query("delete from databases where database_name = 'crm'");
  });

  it("is refused while the project is being deployed or moved", async () => {
    await deploy(stage, project);
    assert.match((await requestMove()).body.message, /deployment or move of the project is queued or running/);
    await installed();
    assert.equal((await requestMove()).status, 202);
    assert.equal((await requestMove()).status, 422);
  });

  it("is refused for a project or a catalog app that is not installed", async () => {
    const uninstalled = await addProject(stage.pool, east);
    assert.match((await requestMove(west, uninstalled)).body.message, /not installed yet/);
    await stage.pool.query(
      "update projects set source_type = 'app', repository = null, repository_type = null where id = $1",
      [project],
    );
    assert.match((await requestMove()).body.message, /application is not installed/);
  });

  it("is refused if the destination cannot hold the project's databases", async () => {
    await attachDatabase("wrong_engine", "postgresql");
    assert.match((await requestMove()).body.errors.server_id, /has no PostgreSQL/);
    await installed();
    await attachDatabase("longshore_too");
    await stage.pool.query(
      `insert into databases (server_id, database_type, database_name, username, password)
       values ($1, 'mariadb', 'other', 'longshore_too', '\\x00')`,
      [west],
    );
    assert.match((await requestMove()).body.errors.server_id, /has a database other already/);
  });

  it("reserves database names and ports on the destination", async () => {
    await installed(true);
    await attachDatabase("held");
    const { deployment_id: id } = (await requestMove()).body;
    const arriving = async () =>
      (
        await rows<{ port_pair: number }>(
          stage.pool,
          sql`select port_pair from placements where project_id = ${project} and server_id = ${west} and role = 'arriving'`,
        )
      ).map((each) => each.port_pair);
    assert.deepEqual(await arriving(), [20_000]);
    const held = await rows(stage.pool, sql`select 1 from databases where server_id = ${west} and held_for = ${id}`);
    assert.equal(held.length, 1);
    const first = project;
    await installed(true);
    await requestMove();
    assert.deepEqual(await arriving(), [20_002]);
    assert.notEqual(first, project);
  });
});

describe("the order of a project's queue", () => {
  beforeEach(() => installed());

  it("spans servers: deployments queued after a move wait for it, and follow the project", async () => {
    const { deployment_id: id } = (await requestMove()).body;
    const [next] = (await deploy(stage, project)) as [number];
    await dispatch(stage, east);
    assert.equal((await findRow(stage, next)).status, 0);
    await begin(west);
    assert.equal((await findRow(stage, id)).status, 3);
    while ((await findRow(stage, id)).status === 3) await endAll(id);
    assert.equal((await findRow(stage, next)).server_id, west);
    await dispatch(stage, west);
    assert.equal((await findRow(stage, next)).status, 3);
  });

  it("redirects a deployment that was queued for the former server at the moment of the switch", async () => {
    const [late] = (await deploy(stage, project)) as [number];
    await stage.pool.query(
      `with placement as (update placements set server_id = $1 where project_id = $2)
       update projects set server_id = $1 where id = $2`,
      [west, project],
    );
    await emptyQueue(stage.pool, "dispatch-deployments");
    await dispatch(stage, east);
    assert.deepEqual([(await findRow(stage, late)).status, (await findRow(stage, late)).server_id], [0, west]);
    const looked = (await jobsIn(stage.pool, "dispatch-deployments")).flatMap((job) => job.serverIds);
    assert.deepEqual(new Set(looked), new Set([east, west]));
    await dispatch(stage, west);
    assert.equal((await findRow(stage, late)).status, 3);
  });
});

describe("a move under way", () => {
  beforeEach(() => installed());

  const phases = ["move-opening", "move-copying", "move-building", "move-holding", "move-finishing"];

  it("has its runs in order, each on the right server", async () => {
    const { id } = await movingIn("move-finishing");
    const runs = await runsOf(id);
    assert.deepEqual(
      runs.map((run) => [run.plan.kind, run.server_id]),
      phases.map((kind) => [kind, ["move-opening", "move-holding"].includes(kind) ? east : west]),
    );
    assert.equal((await projectRow()).server_id, east);
  });

  it("keeps making its release in a directory if zero_downtime is switched off during the move", async () => {
    const { id } = await movingIn("move-copying");
    await stage.pool.query("update projects set zero_downtime = false where id = $1", [project]);
    await endAll(id);
    const [building] = await underWay(id);
    assert.equal(building?.plan.kind, "move-building");
    const script = building.plan.steps.find(({ key }) => key === "create-release")?.script ?? "";
    assert.match(script, new RegExp(`/releases/${id}\\b`));
  });

  it("switches in one transaction when the destination serves, and clears the source last", async () => {
    await attachDatabase("taken_along");
    const { id, run } = await movingIn("move-finishing");
    await endIt(run.id, "succeeded");
    assert.equal((await findRow(stage, id)).status, 1);
    const moved = await projectRow();
    assert.deepEqual([moved.server_id, moved.live_deployment_id], [west, id]);
    const copying = (await runsOf(id)).find((each) => each.plan.kind === "move-copying");
    const site = { ...publishKind, subjectId: project, serverId: west };
    assert.equal((await findTarget(stage.pool, site))?.appliedMark, copying && markIn(copying.plan.steps, site));
    const where = await rows<{ server_id: number; held_for: number | null }>(
      stage.pool,
      sql`select server_id, held_for from databases where database_name = 'taken_along' order by held_for nulls first`,
    );
    assert.deepEqual(where, [
      { server_id: west, held_for: null },
      { server_id: east, held_for: id },
    ]);
    const [clearing] = await underWay(id);
    assert.deepEqual([clearing?.plan.kind, clearing?.server_id], ["move-removing", east]);
    assert.match((await requestMove(east)).body.message, /still being removed/);
    assert.deepEqual(await placements(), { [east]: "leaving", [west]: "own" });
    await endAll(id);
    assert.equal(await moveOf(id), undefined);
    assert.deepEqual(await placements(), { [west]: "own" });
    assert.equal((await get(`/deployments/${id}`)).body.steps.length, (await stepsOf(id)).length);
  });

  const stepsOf = (id: number) =>
    rows(
      stage.pool,
      sql`select 1 from run_steps s join runs r on r.id = s.run_id where r.kind like 'move%' and r.subject_id = ${id}`,
    );

  it("stays successful even if its workflow fails after the switch", async () => {
    const { id, run } = await movingIn("move-finishing");
    await endIt(run.id, "succeeded");
    const [kind] = workflows();
    const workflow = await findWorkflow(stage.pool, { kind: "move", subjectId: id });
    await transaction(stage.pool, async (tx) => kind?.onEnded(tx, { ...workflow, state: "failed" } as Workflow));
    assert.equal((await moveOf(id))?.outcome, "succeeded");
    assert.deepEqual(
      (await underWay(id)).map((each) => [each.plan.kind, each.server_id]),
      [["move-removing", east]],
    );
    assert.deepEqual(
      await rows(stage.pool, sql`select 1 from targets where subject_id = ${id} and server_id = ${west}`),
      [],
    );
    await endAll(id);
  });

  it("offers no commands and logs on the destination before the switch or after a failure", async () => {
    const refused = async () => {
      for (const reply of [
        await post(`/projects/${project}/commands`, { command: "id", server_id: west }),
        await get(`/projects/${project}/logs?type=access&server_id=${west}`),
        await get(`/projects/${project}/logs/stream?server_id=${west}`),
      ]) {
        assert.equal(reply.status, 422, reply.text);
        assert.equal(reply.body.errors?.server_id, "The project is not on this server.", reply.text);
      }
    };
    const id = (await requestMove()).body.deployment_id as number;
    await refused();
    await begin(west);
    await refused();
    await endAll(id);
    await endIt(((await underWay(id))[0] as Run).id, "failed");
    assert.equal((await placements())[west], "arriving");
    await refused();
    await endAll(id);
  });

  it("prevents the transfer of its servers until the other one is cleared", async () => {
    const { body } = await post("/organizations", { name: "Next" });
    const organizationId = body.organization_id ?? body.id ?? body.data?.id;
    const transfer = async (id: number) =>
      (await post(`/servers/${id}/transfer-organization`, { organization_id: organizationId })).body.message;
    const { id, run } = await movingIn("move-copying");
    await endIt(run.id, "failed");
    for (const clearing of (await underWay(id)).filter((each) => each.server_id === east)) {
      await endIt(clearing.id, "succeeded");
    }
    assert.equal((await findRow(stage, id)).status, 2);
    for (const server of [east, west]) assert.match(await transfer(server), /being moved/);
    await endAll(id);
    assert.equal(await moveOf(id), undefined);
  });

  it("retries to clear the source until that succeeds", async () => {
    const { id, run } = await movingIn("move-finishing");
    await endIt(run.id, "succeeded");
    for (let tries = 0; tries < 3; tries++) {
      const [clearing] = await underWay(id);
      await endIt((clearing as Run).id, "failed");
    }
    assert.equal((await underWay(id)).length, 1);
    await endAll(id);
    assert.equal(await moveOf(id), undefined);
  });

  /** The log from an offset to its end. */
  async function readOn(id: number, after: number): Promise<{ texts: string[]; next: number }> {
    const { data, next, has_more: hasMore } = (await get(`/deployments/${id}/log?after=${after}`)).body;
    const texts = data.map((piece: { text: string }) => piece.text);
    if (!hasMore) return { texts, next };
    const rest = await readOn(id, next);
    return { texts: [...texts, ...rest.texts], next: rest.next };
  }

  it("shows the latest attempt of a run that was retried often, with a log of the usual length", async () => {
    const { id, run } = await movingIn("move-finishing");
    const print = (runId: number, offset: number, text: string) =>
      stage.pool.query(
        "insert into run_output (run_id, journal_offset, step_position, audience, text) values ($1, $2, 0, 'system', $3)",
        [runId, offset, text],
      );
    for (const phase of await runsOf(id)) await print(phase.id, 0, `${phase.plan.kind}\n`);
    await endIt(run.id, "succeeded");
    const clearing = async () => (await underWay(id))[0] ?? assert.fail();
    const first = await clearing();
    await print(first.id, 0, "first try, which ends without a line break");
    const read = await readOn(id, 0);
    assert.deepEqual(read.texts.length, phases.length + 1);
    for (let tries = 0; tries < 3; tries++) await endIt((await clearing()).id, "failed");
    const last = await clearing();
    await print(last.id, 0, "last try\n");
    const shown = (await get(`/deployments/${id}`)).body;
    assert.deepEqual(shown.output.system_payload, [...phases, "last try"]);
    const removing = last.plan.steps.map((step) => step.key);
    assert.deepEqual(
      shown.steps.slice(-removing.length - 1).map((step: { key: string }) => step.key),
      [run.plan.steps.at(-1)?.key, ...removing],
    );
    const readAfter = await readOn(id, read.next);
    assert.deepEqual(readAfter.texts, ["last try\n"]);
    assert.ok(readAfter.next > read.next);
    const mebibyte = "x".repeat(1023).concat("\n").repeat(1024);
    for (const each of await runsOf(id)) {
      for (let at = 1; at <= 3; at++) await print(each.id, at * mebibyte.length, mebibyte);
    }
    const { output } = (await get(`/deployments/${id}`)).body;
    const bytes = Buffer.byteLength(output.system_payload.join("\n"));
    assert.ok(bytes <= 6 << 20, `${bytes} bytes are shown`);
    assert.equal(output.system_payload.filter((line: string) => /bytes are left out here/.test(line)).length, 1);
    await endAll(id);
  });

  it("retries less and less often, but sooner while visitors wait", async () => {
    for (const [outcome, kind, most] of [
      ["succeeded", "move-clearing", 3600],
      ["failed", "move-release", 900],
    ] as const) {
      await installed();
      const { id, run } = await movingIn("move-finishing");
      await endIt(run.id, outcome);
      const failed = (await underWay(id)).find((each) => each.kind === kind);
      await stage.pool.query("update targets set attempts = 20 where kind = $1 and subject_id = $2", [kind, id]);
      // Not through `endIt`, which would begin the next attempt.
      const target = targetRunKind(stage.ctx, targets().find((each) => each.kind === kind) ?? assert.fail());
      await transaction(stage.pool, async (tx) => {
        const ended = await endRun(tx, (failed as Run).id, { state: "failed", error: "It went wrong." });
        await target.onEnded(tx, ended as Run, "failed");
      });
      const waits = await row<{ seconds: number }>(
        stage.pool,
        sql`
          select extract(epoch from retry_at - clock_timestamp())::integer as seconds
          from targets where kind = ${kind} and subject_id = ${id}
        `,
      );
      assert.ok(waits && waits.seconds > most * 0.85 && waits.seconds < most * 1.15, `${kind}: ${waits?.seconds} s`);
      await proceed();
      await endAll(id);
      assert.equal(await moveOf(id), undefined);
    }
  });

  for (const plan of phases) {
    for (const way of ["fails", "is cancelled"] as const) {
      it(`restores the source and empties the destination if it ${way} in ${plan}`, async () => {
        await attachDatabase(`${way}_${plan}`.replaceAll(/[ -]/g, "_"));
        const { id, run } = await movingIn(plan);
        if (way === "is cancelled") {
          assert.equal((await post(`/deployments/${id}/cancel`)).body.state, "cancelling");
          assert.equal((await post(`/deployments/${id}/cancel`)).status, 409);
        }
        // Also when the step was done before the cancel arrived.
        await endIt(run.id, way === "fails" ? "failed" : "succeeded");
        const held = ["move-holding", "move-finishing"].includes(plan);
        assert.equal((await findRow(stage, id)).status, held ? (way === "fails" ? 3 : 4) : way === "fails" ? 2 : 5);
        const left = (await underWay(id)).map((each) => [each.plan.kind, each.server_id]);
        const undoing = plan === "move-opening" ? [] : [["move-undoing", west]];
        assert.deepEqual(left, [["move-releasing", east], ...undoing]);
        await endAll(id);
        assert.equal((await findRow(stage, id)).status, way === "fails" ? 2 : 5);
        assert.equal(await moveOf(id), undefined);
        assert.equal((await projectRow()).server_id, east);
        const reserved = await rows(stage.pool, sql`select 1 from databases where held_for = ${id}`);
        assert.equal(reserved.length, 0);
        assert.equal((await requestMove()).status, 202);
      });
    }
  }

  it("leaves nothing if it is cancelled before its turn", async () => {
    const { deployment_id: id } = (await requestMove()).body;
    assert.equal((await post(`/deployments/${id}/cancel`)).body.state, "cancelled");
    assert.equal(await moveOf(id), undefined);
    assert.equal((await requestMove()).status, 202);
  });

  it("is cancelled under the lock of its project, which covers the placement", async () => {
    const { deployment_id: id } = (await requestMove()).body;
    const { cancelling } = await transaction(stage.pool, async (tx) => {
      await lockProjectForWork(tx, project);
      const cancelling = post(`/deployments/${id}/cancel`);
      await untilWaiting(stage.pool);
      await tx.query("select 1 from deployments where id = $1 for update nowait", [id]);
      await tx.query("select 1 from placements where project_id = $1 for update nowait", [project]);
      return { cancelling };
    });
    assert.equal((await cancelling).body.state, "cancelled");
  });

  it("can be neither cancelled while it is undone nor run again after a failure", async () => {
    const { id, run } = await movingIn("move-finishing");
    await endIt(run.id, "failed");
    assert.match((await post(`/deployments/${id}/cancel`)).body.message, /being put back/);
    await endAll(id);
    assert.match((await post(`/deployments/${id}/rerun`)).body.message, /move the project again/);
  });

  it("does not change its project's maintenance mode", async () => {
    await movingIn("move-building");
    await stage.pool.query("update placements set is_prepared = true where project_id = $1", [project]);
    const reply = await post(`/projects/${project}/maintenance/toggle`);
    assert.equal(reply.status, 422);
    assert.match(reply.body.message, /being moved/);
  });

  /** Does what a worker does with a run that was sent to a server which has not answered since. */
  async function followSilent(run: Run, signal = AbortSignal.timeout(30_000)): Promise<void> {
    await stage.pool.query("update runs set state = 'running', started_at = now() where id = $1", [run.id]);
    const ctx = { ...stage.ctx, config: { ...stage.ctx.config, moveSilenceSeconds: 0.01 } };
    await jobsOf(ctx)
      .find(({ name }) => name === "run")
      ?.work({ runId: run.id }, signal);
    await proceed();
  }

  for (const plan of ["move-holding", "move-finishing"]) {
    it(`fails if a server is silent during ${plan}, while visitors wait`, async () => {
      const { id, run } = await movingIn(plan);
      await followSilent(run);
      assert.equal((await findRun(stage.pool, run.id))?.state, "stalled");
      assert.equal((await moveOf(id))?.outcome, "failed");
      assert.equal((await findRow(stage, id)).status, 3);
      await endAll(id);
      const ended = await findRow(stage, id);
      assert.equal(ended.status, 2);
      assert.match(ended.error ?? "", /was not moved/);
    });
  }

  it("fails if a server that visitors wait for cannot be reached", async () => {
    const { id, run } = await movingIn("move-finishing");
    await stage.pool.query("update runs set created_at = created_at - interval '2 minutes' where id = $1", [run.id]);
    await attendRuns(id);
    await endAll(id);
    assert.match((await findRow(stage, id)).error ?? "", /was not moved/);
  });

  it("continues despite a silent server while the source serves", async () => {
    const { id, run } = await movingIn("move-building");
    await followSilent(run, AbortSignal.timeout(500));
    assert.equal((await findRun(stage.pool, run.id))?.state, "running");
    assert.equal((await findRow(stage, id)).status, 3);
  });

  it("clears the destination too if the project is deleted", async () => {
    const { id } = await movingIn("move-building");
    assert.equal((await call(stage.app, `DELETE /api/v1/project/${project}`, { token: stage.cast.alice })).status, 200);
    // Cancelled before it began.
    await attendRuns(id);
    assert.deepEqual(
      (await underWay(id)).map((each) => [each.plan.kind, each.server_id]),
      [
        ["move-closing", east],
        ["move-undoing", west],
      ],
    );
    await endAll(id);
    assert.equal(await moveOf(id), undefined);
  });

  it("describes where the domains must point when it has succeeded", async () => {
    const { id, run } = await movingIn("move-finishing");
    assert.equal((await findRow(stage, id)).description, "Move to west");
    await endIt(run.id, "succeeded");
    const { description } = await findRow(stage, id);
    assert.match(
      description,
      /^Moved to west\. Point \S+ at \S+ \(A record\) now\. east forwards visitors until \S+ \d\d:\d\d UTC\.$/,
    );
  });

  it("activates the certificate that was copied, and no other", async () => {
    const certificateOf = async () =>
      (
        await row<{ server_id: number }>(
          stage.pool,
          sql`select server_id from certificates where project_id = ${project}`,
        )
      )?.server_id;
    for (const [copied, server] of [
      ["7", west],
      ["6", east],
    ] as const) {
      await installed();
      await stage.pool.query(
        `insert into certificates (project_id, status, version, server_id, not_after)
         values ($1, 1, 7, $2, now() + interval '1 month')`,
        [project, east],
      );
      const { run } = await movingIn("move-finishing");
      await endIt(run.id, "succeeded", { certificate: copied });
      assert.equal(await certificateOf(), server);
    }
  });

  it("ends the runs on its former server, and updates the new one", async () => {
    await stage.pool.query("update placements set is_prepared = true where project_id = $1", [project]);
    const { id, run } = await movingIn("move-finishing");
    const begun = await transaction(stage.pool, async (tx) => {
      const found = await findProjectForWork(tx, project);
      assert.ok(found);
      return beginPublication(tx, stage.ctx, found);
    });
    await reconcileAll(stage.ctx, [...projectTargets(stage.ctx), ...siteTargets(stage.ctx)]);
    const pending = (await findRunOf(stage.pool, publishKind, project))?.id as number;
    const waiting = awaitApplied(stage.ctx, begun, { timeoutMs: 30_000 });
    await endIt(run.id, "succeeded");
    assert.equal((await findRun(stage.pool, pending))?.state, "cancelled");
    const [clearing] = await underWay(id);
    const ending = clearing?.plan.steps.find((step) => step.key === "end-runs")?.script ?? "";
    assert.match(ending, new RegExp(`longshore-run-${pending}\\b`));
    await reconcileAll(stage.ctx, [...projectTargets(stage.ctx), ...siteTargets(stage.ctx)]);
    const next = await findRunOf(stage.pool, publishKind, project);
    assert.deepEqual([next?.server_id, next?.ended_at], [west, null]);
    await transaction(stage.pool, async (tx) => {
      const ended = await endRun(tx, next?.id as number, { state: "succeeded", error: null });
      if (ended) await targetRunKind(stage.ctx, siteTarget(stage.ctx)).onEnded(tx, ended, "succeeded");
    });
    assert.equal((await waiting).state, "applied", "who waited for the former server gets the answer of the new one");
  });

  for (const [outcome, server] of [
    ["succeeded", () => west],
    ["failed", () => east],
  ] as const) {
    it(`runs the project's jobs on its server when it has ${outcome}`, async () => {
      await stage.pool.query("update placements set is_prepared = true where project_id = $1", [project]);
      await stage.pool.query(
        "insert into project_jobs (project_id, kind, name, command, processes) values ($1, 'background', 'x', 'x', 1)",
        [project],
      );
      const { id, run } = await movingIn("move-finishing");
      await endIt(run.id, outcome);
      await endAll(id);
      const jobs = await runOfJobs();
      assert.equal(jobs?.server_id, server());
    });
  }

  it("gives secrets to the runs that need them, its key to none with the user's commands, and shows none in logs", async () => {
    await attachDatabase("with_password");
    await stage.pool.query("update sites set basic_auth_user = 'ann', basic_auth_hash = $1 where project_id = $2", [
      stage.ctx.secrets.encrypt("ann:hash"),
      project,
    ]);
    await stage.pool.query("update projects set environment_variables = $1 where id = $2", [
      stage.ctx.secrets.encrypt("API_KEY='a key with $ in it'\n"),
      project,
    ]);
    await stage.pool.query("update servers set host_key = 'ssh-ed25519 AAAA' where id = $1", [east]);
    const { id } = await movingIn("move-finishing");
    const [{ private_key } = {}] = [await moveOf(id)];
    assert.ok(private_key && !private_key.includes("PRIVATE KEY"), "the key is encrypted");
    for (const run of await runsOf(id)) {
      await putBackIn(id, run);
      const kind = moveRunKinds().find((each) => each.kind === run.kind);
      const { files, masked } = (await kind?.secrets?.(run)) ?? { files: {} as SecretFiles, masked: [] };
      const names = Object.keys(files).sort();
      const copies = ["move-copying", "move-finishing"].includes(run.plan.kind);
      const building = run.plan.kind === "move-building" ? ["basic-auth", "environment", "environment-exports"] : [];
      const passwords = ["move_database_with_password", "move_verifier_with_password"];
      const all = ["basic-auth", ...passwords, "move_key", "move_known_hosts"].sort();
      assert.deepEqual(names, copies ? all : building, run.plan.kind);
      // A process of the project, or a command of the user, may print its secrets here.
      assert.deepEqual(masked, copies || building.length > 0 ? ["a key with $ in it"] : [], run.plan.kind);
      if (copies) assert.equal(files.move_known_hosts, "longshore-source ssh-ed25519 AAAA\n");
    }
  });

  /** The workflow of a move as it is during a run. */
  async function putBackIn(id: number, run: Run): Promise<void> {
    const names = ["open", "copy", "build", "hold", "finish"];
    const phase = names[phases.indexOf(run.plan.kind)];
    await stage.pool.query("update workflows set phase = $1, run_id = $2 where kind = 'move' and subject_id = $3", [
      phase,
      run.id,
      id,
    ]);
  }

  it("fails if a database was attached after the start", async () => {
    const { id, run } = await movingIn("move-building");
    await attachDatabase("attached_meanwhile");
    await endIt(run.id, "succeeded");
    const ended = await findRow(stage, id);
    assert.equal(ended.status, 2);
    assert.match(ended.error ?? "", /databases were changed/);
    assert.equal((await projectRow()).server_id, east);
  });

  it("restores the source if the destination is deleted, and reports the reason", async () => {
    const place = await addProvisioned(stage);
    const id = (await requestMove(place)).body.deployment_id as number;
    await begin(place);
    for (let phase = 0; phase < 4; phase++) await endAll(id);
    assert.equal((await underWay(id))[0]?.plan.kind, "move-finishing");
    await deleteServer(place);
    await attendRuns(id);
    assert.deepEqual(
      (await underWay(id)).map((each) => each.plan.kind),
      ["move-releasing"],
    );
    await endAll(id);
    assert.equal(await moveOf(id), undefined);
    assert.equal((await projectRow()).server_id, east);
    const { status, error } = await findRow(stage, id);
    assert.deepEqual([status, error], [2, "The server that the project was to come to was deleted."]);
  });

  it("applies the jobs that changed during the move if the destination is deleted", async () => {
    await stage.pool.query("update placements set is_prepared = true where project_id = $1", [project]);
    const place = await addProvisioned(stage);
    const id = (await requestMove(place)).body.deployment_id as number;
    await begin(place);
    for (let phase = 0; phase < 4; phase++) await endAll(id);
    const body = { name: "worker", command: "php work.php" };
    assert.equal((await post(`/projects/${project}/background-jobs`, body)).status, 201);
    assert.equal(await runOfJobs(), undefined);
    await deleteServer(place);
    await attendRuns(id);
    await endAll(id);
    const jobs = await runOfJobs();
    assert.equal(jobs?.server_id, east);
  });

  it("fails if its destination is deleted before its turn, and does not block the queue", async () => {
    const place = await addProvisioned(stage);
    const id = (await requestMove(place)).body.deployment_id as number;
    const [next] = (await deploy(stage, project)) as [number];
    await deleteServer(place);
    await begin(east);
    assert.match((await findRow(stage, id)).error ?? "", /was deleted/);
    assert.equal(await moveOf(id), undefined);
    await dispatch(stage, east);
    assert.equal((await findRow(stage, next)).status, 3);
  });

  it("frees its names and ports if the project is deleted before its turn", async () => {
    await installed(true);
    await attachDatabase("freed");
    const id = (await requestMove()).body.deployment_id as number;
    await deleteFinishedMoves();
    assert.ok(await moveOf(id), "it waits for its turn");
    assert.equal((await call(stage.app, `DELETE /api/v1/project/${project}`, { token: stage.cast.alice })).status, 200);
    await deleteFinishedMoves();
    assert.equal(await moveOf(id), undefined);
    assert.equal((await rows(stage.pool, sql`select 1 from databases where held_for = ${id}`)).length, 0);
  });

  it("ends if the server that it has to clear is deleted", async () => {
    const place = await addProvisioned(stage);
    const id = (await requestMove(place)).body.deployment_id as number;
    await begin(place);
    await endAll(id);
    await endIt(((await underWay(id))[0] as Run).id, "failed");
    await endIt(((await underWay(id)).find((run) => run.server_id === east) as Run).id, "succeeded");
    await deleteFinishedMoves();
    assert.ok(await moveOf(id), "the destination is still to be cleared");
    assert.equal((await placements())[place], "arriving");
    await deleteServer(place);
    await deleteFinishedMoves();
    assert.equal(await moveOf(id), undefined);
  });

  it("does not switch if it was cancelled after its last run", async () => {
    const { id, run } = await movingIn("move-finishing");
    await stage.pool.query("update run_steps set status = 'completed' where run_id = $1", [run.id]);
    await transaction(stage.pool, async (tx) => {
      const ended = (await endRun(tx, run.id, { state: "succeeded", error: null })) as Run;
      await moveRunKinds()
        .find(({ kind }) => kind === run.kind)
        ?.onEnded(tx, ended, "succeeded");
    });
    assert.equal((await post(`/deployments/${id}/cancel`)).body.state, "cancelling");
    await proceed();
    await endAll(id);
    assert.equal((await findRow(stage, id)).status, 5);
    assert.equal((await projectRow()).server_id, east);
  });
});

describe("the former server of a project that has moved", () => {
  let id: number;
  beforeEach(async () => {
    await installed();
    id = (await movedTo(west)).id;
  });

  /** Moves the project, without clearing the server that it leaves. */
  async function movedTo(to: number): Promise<{ id: number; run: Run }> {
    const moving = await movingIn("move-finishing", to);
    await endIt(moving.run.id, "succeeded");
    return moving;
  }
  const addressOf = async (server: number): Promise<string> =>
    (await row<{ public_ip: string }>(stage.pool, sql`select public_ip from servers where id = ${server}`))
      ?.public_ip ?? assert.fail();
  const forwardings = async () =>
    (
      await rows<{ server_id: number }>(
        stage.pool,
        sql`select server_id from forwardings where project_id = ${project} order by id`,
      )
    ).map(({ server_id }) => server_id);
  const kinds = () => [...projectTargets(stage.ctx), ...siteTargets(stage.ctx)];
  /** The runs of a kind that the engine begins on a server. */
  async function begun(kind: "forwarding" | "project-removal", server: number): Promise<Run[]> {
    await reconcileAll(stage.ctx, kinds());
    return rows<Run>(
      stage.pool,
      sql`select * from runs where kind = ${kind} and server_id = ${server} and subject_id = ${project} and ended_at is null`,
    );
  }
  async function end(run: Run): Promise<void> {
    const kind = kinds().find((each) => each.kind === run.kind) ?? assert.fail();
    await transaction(stage.pool, async (tx) => {
      const ended = await endRun(tx, run.id, { state: "succeeded", error: null });
      if (ended) await targetRunKind(stage.ctx, kind).onEnded(tx, ended, "succeeded");
    });
  }
  const forwardedTo = (run: Run | undefined): string | undefined =>
    /proxy_pass http:\/\/(\S+):80;/.exec(run?.plan.steps.map(({ script }) => script).join("\n") ?? "")?.[1];
  const believed = async () =>
    onServer((await findProjectForWork(stage.pool, project)) ?? assert.fail(), false).site.proxies;
  const plainName = ({ domain_name: name }: { domain_name: string }) => name.replace(/^www\./, "");
  const endForwardings = () => periodicTask(stage.ctx, "end-forwardings").work(new AbortController().signal);
  const deleteProject = () => call(stage.app, `DELETE /api/v1/project/${project}`, { token: stage.cast.alice });

  it("forwards visitors while it is cleared and for a week, and is a trusted proxy as long", async () => {
    const [clearing] = await underWay(id);
    assert.equal(forwardedTo(clearing), await addressOf(west));
    const keys = clearing?.plan.steps.map(({ key }) => key) ?? [];
    assert.ok(keys.includes("forward-visitors") && keys.includes("remove-files") && !keys.includes("remove-site"));
    const files = clearing?.plan.steps.find(({ key }) => key === "remove-files")?.script ?? "";
    assert.ok(!files.includes("/etc/longshore/tls"), "the certificate stays");
    assert.deepEqual(await begun("forwarding", east), [], "it is being cleared");
    await endAll(id);
    const [follows] = await begun("forwarding", east);
    assert.equal(forwardedTo(follows), await addressOf(west));
    await end(follows as Run);
    await endForwardings();
    assert.deepEqual([await forwardings(), await believed()], [[east], [await addressOf(east)]]);
    const left = await row<{ days: number }>(
      stage.pool,
      sql`select round(extract(epoch from until - now()) / 86400)::integer as days from forwardings where project_id = ${project}`,
    );
    assert.equal(left?.days, 7);
    await stage.pool.query("update forwardings set until = now() - interval '1 second'");
    await endForwardings();
    assert.deepEqual([await forwardings(), await believed()], [[], []]);
    const [removal] = await begun("project-removal", east);
    const script = removal?.plan.steps.map((step) => step.script).join("\n") ?? "";
    assert.match(script, /sites-enabled/);
    assert.match(script, /\/etc\/longshore\/tls/);
    assert.deepEqual(await begun("forwarding", east), []);
  });

  it("answers 503 for a day if forwarding is switched off", async () => {
    const usual = stage;
    stage = { ...stage, ctx: { ...stage.ctx, config: { ...stage.ctx.config, moveForwardDays: 0 } } };
    try {
      await endAll(id);
      const { id: next } = await movedTo(east);
      const [clearing] = await underWay(next);
      assert.equal(forwardedTo(clearing), undefined);
      assert.match(clearing?.plan.steps.find(({ key }) => key === "forward-visitors")?.script ?? "", /return 503;/);
      assert.match((await findRow(stage, next)).description, /west asks visitors to come back later until/);
      assert.deepEqual(await believed(), []);
      await endAll(next);
    } finally {
      stage = usual;
    }
  });

  it("stops forwarding when the project moves back, and forwards again if that fails", async () => {
    await endAll(id);
    for (const run of await begun("forwarding", east)) await end(run);
    const { id: failing, run } = await movingIn("move-building", east);
    const touched = await lockProjectForWork(stage.pool, project);
    await transaction(stage.pool, (tx) => beginPublication(tx, stage.ctx, touched ?? assert.fail()));
    assert.deepEqual(await begun("forwarding", east), [], "its site is made by the move");
    await endIt(run.id, "failed");
    const undoing = (await underWay(failing)).find((each) => each.plan.kind === "move-undoing");
    assert.equal(forwardedTo(undoing), await addressOf(west));
    await endAll(failing);
    const [again] = await begun("forwarding", east);
    assert.equal(forwardedTo(again), await addressOf(west));
    await end(again as Run);
    const back = await movedTo(east);
    assert.deepEqual(await forwardings(), [west]);
    await endAll(back.id);
    assert.deepEqual(await begun("forwarding", east), []);
    assert.equal(forwardedTo((await begun("forwarding", west))[0]), await addressOf(east));
  });

  it("forwards to a third server after the next move, and with changed names", async () => {
    await endAll(id);
    for (const run of await begun("forwarding", east)) await end(run);
    const third = await addProvisioned(stage);
    const onward = await movedTo(third);
    const [follows] = await begun("forwarding", east);
    assert.equal(forwardedTo(follows), await addressOf(third));
    await end(follows as Run);
    await endAll(onward.id);
    const [second] = await begun("forwarding", west);
    assert.equal(forwardedTo(second), await addressOf(third));
    for (const run of [second as Run, ...(await begun("forwarding", east))]) await end(run);
    const names = await rows<{ domain_name: string }>(
      stage.pool,
      sql`update domains set domain_name = 'renamed-' || domain_name where project_id = ${project} returning domain_name`,
    );
    await transaction(stage.pool, async (tx) =>
      beginPublication(tx, stage.ctx, (await lockProjectForWork(tx, project)) ?? assert.fail()),
    );
    const [renamed] = await begun("forwarding", east);
    const forwarded = /^ *server_name (.*);$/m.exec(renamed?.plan.steps[0]?.script ?? "")?.[1]?.split(" ") ?? [];
    assert.deepEqual(new Set(forwarded.map((name) => name.replace(/^www\./, ""))), new Set(names.map(plainName)));
  });

  it("stops forwarding when the project is deleted, also while it is being cleared", async () => {
    const [clearing] = await underWay(id);
    assert.equal((await deleteProject()).status, 200);
    assert.deepEqual(await forwardings(), []);
    assert.equal((await begun("project-removal", east)).length, 1);
    await endIt(clearing?.id as number, "succeeded");
    const [again] = await underWay(id);
    assert.ok(
      again?.plan.steps.some(({ key }) => key === "remove-site"),
      "what the first run left is removed",
    );
    await endAll(id);
    assert.equal(await moveOf(id), undefined);
  });

  it("is no longer trusted when it is deleted, and is cleared when the project's server is deleted", async () => {
    const place = await addProvisioned(stage);
    await endAll(id);
    const { id: next } = await movedTo(place);
    await endAll(next);
    await deleteServer(place);
    await endForwardings();
    assert.deepEqual(await forwardings(), []);
    for (const server of [east, west]) assert.equal((await begun("project-removal", server)).length, 1);
    const former = await addProvisioned(stage);
    project = await addProject(stage.pool, former);
    await deployed(stage, project, former);
    const { id: last } = await movedTo(west);
    await endAll(last);
    assert.equal((await believed())?.length, 1);
    await deleteServer(former);
    await endForwardings();
    assert.deepEqual([await forwardings(), await believed()], [[], []]);
  });
});

describe("the deletion of a server", () => {
  const history = async () => {
    const { data } = (await get(`/projects/${project}/deployments`)).body as {
      data: { id: number; server_id?: number; server?: object }[];
    };
    return data.map(({ server_id: _, server: _gone, ...deployment }) => deployment);
  };

  it("keeps the history of a project that moved away", async () => {
    const place = await addProvisioned(stage);
    project = await addProject(stage.pool, place);
    const earlier = await deployed(stage, project, place);
    const { id, run } = await movingIn("move-finishing");
    await endIt(run.id, "succeeded");
    await endAll(id);
    const [late] = (await deploy(stage, project)) as [number];
    // As if it had been queued at the moment of the switch.
    await stage.pool.query("update deployments set server_id = $1 where id = $2", [place, late]);
    const before = await history();
    await deleteServer(place);
    assert.deepEqual(await history(), before);
    assert.equal((await post(`/deployments/${earlier}/rollback`)).status, 202);
    await dispatch(stage, west);
    assert.equal((await findRow(stage, late)).status, 3);
  });

  it("keeps the history of a project whose move to it failed", async () => {
    await installed();
    const place = await addProvisioned(stage);
    const id = (await requestMove(place)).body.deployment_id as number;
    await begin(place);
    const [opening] = await underWay(id);
    await endIt((opening as Run).id, "failed");
    await endAll(id);
    const before = await history();
    assert.equal(before[0]?.id, id);
    await deleteServer(place);
    assert.deepEqual(await history(), before);
  });

  it("deletes the history of the projects on it", async () => {
    const place = await addProvisioned(stage);
    project = await addProject(stage.pool, place);
    const id = await deployed(stage, project, place);
    await deleteServer(place);
    assert.equal((await get(`/deployments/${id}`)).status, 404);
    assert.equal((await rows(stage.pool, sql`select 1 from deployments where id = ${id}`)).length, 0);
  });
});
