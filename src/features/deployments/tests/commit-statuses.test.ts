import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { rows, sql } from "../../../db/sql.ts";
import { outsideQueue } from "../../../engine/reconcile/reconcile.ts";
import { isPlanned } from "../../../engine/runs/plan.ts";
import { findRun } from "../../../engine/runs/queries.ts";
import { applyUpdate, parseUpdate } from "../../../engine/runs/store.ts";
import { jobsOf } from "../../../features.ts";
import {
  ask,
  connect,
  createProject,
  type HostType,
  openStage,
  publicUrl,
  registeredProject,
  type Stage,
  sourceOf,
} from "../../sources/tests/support.ts";
import { deploymentRunKinds } from "../jobs.ts";
import { dispatch, findRow, finishRun, startRuns } from "./support.ts";

const commit = "d".repeat(40);
const reportQueue = "report-deployments";

let stage: Stage;

before(async () => {
  stage = await openStage();
});
after(() => stage?.close());
beforeEach(async () => {
  for (const table of ["projects", "source_providers", "targets", "queue.job"])
    await stage.pool.query(`delete from ${table}`);
  for (const host of Object.values(stage.hosts)) {
    host.repositories.clear();
    host.addRepository("acme/shop");
    host.requests.length = 0;
    host.troubles.length = 0;
    host.renamed.clear();
  }
});

/** Does what workers do with the jobs that are due; failures are kept with their targets. */
async function work(): Promise<void> {
  const { queue } = stage.ctx;
  for (const name of [reportQueue, outsideQueue]) {
    const handler = jobsOf(stage.ctx).find((job) => job.name === name) ?? assert.fail(name);
    for (const job of await queue.claim(name, 100)) {
      await handler.work(job.data, new AbortController().signal);
      await queue.complete(job);
    }
  }
}

/** Makes what is retried later due now. */
const makeDue = () => stage.pool.query("update queue.job set start_after = now() where state = 'created'");

const repository = (type: HostType) => stage.hosts[type].repositories.get("acme/shop") ?? assert.fail();
const statesOf = (type: HostType) =>
  repository(type).statuses.map(({ commit: of, state }) => `${of.slice(0, 2)} ${state}`);

const targets = () =>
  rows<{ error: string | null }>(
    stage.pool,
    sql`
  select error from targets where kind = 'commit-status'
`,
  );

/** A project whose installation is over. */
async function installed(type: HostType): Promise<number> {
  await connect(stage, type);
  const id = await registeredProject(stage, type);
  const [first] = await rows<{ id: number }>(stage.pool, sql`select id from deployments where project_id = ${id}`);
  await dispatch(stage, stage.serverId);
  await finishRun(stage, first?.id ?? assert.fail(), "succeeded", { commit: "a".repeat(40) });
  await work();
  return id;
}

async function deploy(project: number, body: object = { commit_id: commit }): Promise<number> {
  const reply = await ask(stage, "POST /api/v1/deployments", { project_ids: [project], ...body });
  assert.equal(reply.status, 202, reply.text);
  return reply.body.deployment_ids[0];
}

/** The server has fetched the commit. */
async function reportCommit(deployment: number): Promise<void> {
  await startRuns(stage);
  const run = (await findRun(stage.pool, Number((await findRow(stage, deployment)).run_id))) ?? assert.fail();
  assert.ok(isPlanned(run.plan));
  const position = run.plan.steps.findIndex(({ facts }) => facts && "commit" in facts);
  const entries = [
    { type: "run", at: Date.now() } as const,
    { type: "step", position, at: Date.now() } as const,
    { type: "fact", key: "commit", value: commit } as const,
  ];
  const kinds = new Map(deploymentRunKinds(stage.ctx).map((kind) => [kind.kind, kind]));
  const update = parseUpdate(run, { entries, consumed: 100, offset: 0 }, 0, (bytes) => bytes);
  await applyUpdate({ pool: stage.pool, kinds }, update);
}

describe("a deployment at the git host of a connected account", () => {
  for (const [type, states] of [
    ["git_host_a", ["dd pending", "dd pending", "dd success"]],
    ["git_host_b", ["dd success"]],
    ["git_host_c", ["dd SUCCESSFUL"]],
  ] as const) {
    it(`is queued, building and live (${type})`, async () => {
      const project = await installed(type);
      repository(type).statuses.length = 0;
      const id = await deploy(project);
      await work();
      const [queued] = repository(type).statuses;
      assert.equal(queued?.description, "Queued");
      assert.equal(queued?.name, "longshore/Shop");
      assert.equal(queued?.url, `${publicUrl}/o/${stage.cast.organizationId}/deployments/${id}`);
      await dispatch(stage, stage.serverId);
      await work();
      assert.equal(repository(type).statuses.at(-1)?.description, "Building");
      await finishRun(stage, id, "succeeded", { commit });
      await work();
      assert.deepEqual(statesOf(type), states);
      assert.match(repository(type).statuses.at(-1)?.description ?? "", /^Live at http:\/\/shop-\d+\.example\.com$/);
      assert.deepEqual(await targets(), []);
    });
  }

  it("has the first line of the reason when it fails", async () => {
    const project = await installed("git_host_a");
    const id = await deploy(project);
    await dispatch(stage, stage.serverId);
    await finishRun(stage, id, "failed", { commit }, "The build ended with 1: no such module\nand more");
    await work();
    const { state, description } = repository("git_host_a").statuses.at(-1) ?? assert.fail();
    assert.deepEqual([state, description], ["failure", "The build ended with 1: no such module"]);
    assert.equal(repository("git_host_a").deployments.at(-1)?.states.at(-1), "failure");
  });

  it("is shown as soon as its commit is known, without one in the request", async () => {
    const project = await installed("git_host_a");
    repository("git_host_a").statuses.length = 0;
    const id = await deploy(project, {});
    await work();
    await dispatch(stage, stage.serverId);
    await work();
    assert.deepEqual(statesOf("git_host_a"), []);
    await reportCommit(id);
    await work();
    assert.deepEqual(statesOf("git_host_a"), ["dd pending"]);
  });

  it("is reported again when the host did not answer, and waits for nothing", async () => {
    const project = await installed("git_host_a");
    repository("git_host_a").statuses.length = 0;
    const unavailable = () => stage.hosts.git_host_a.troubles.push({ line: /^POST/, trouble: { status: 502 } });
    unavailable();
    const id = await deploy(project);
    await work();
    assert.deepEqual(statesOf("git_host_a"), []);
    assert.match((await targets())[0]?.error ?? "", /GitHub answered with an error \(502\)/);
    assert.match((await sourceOf(stage, project)).commit_status.error, /\(502\)/);
    // A further state does not wait for the retry of the one before.
    unavailable();
    await dispatch(stage, stage.serverId);
    await work();
    await finishRun(stage, id, "succeeded", { commit });
    assert.equal((await findRow(stage, id)).status, 1);
    await makeDue();
    await work();
    assert.deepEqual(statesOf("git_host_a"), ["dd success"]);
    assert.equal((await sourceOf(stage, project)).commit_status.error, null);
    assert.deepEqual(await targets(), []);
  });

  it("is given up when the host refuses it, and the source names the reason", async () => {
    const project = await installed("git_host_a");
    const id = await deploy(project);
    await dispatch(stage, stage.serverId);
    await finishRun(stage, id, "succeeded", { commit });
    stage.hosts.git_host_a.troubles.push({ line: /^POST/, trouble: { status: 403, body: '{"message": "No."}' } });
    await work();
    assert.match((await sourceOf(stage, project)).commit_status.error, /The token may not do this at GitHub: .* No\./);
    assert.deepEqual(await targets(), []);
  });

  it("is not retried for more than a day after its end", async () => {
    const project = await installed("git_host_a");
    const id = await deploy(project);
    await dispatch(stage, stage.serverId);
    await finishRun(stage, id, "succeeded", { commit });
    await stage.pool.query("update deployments set ended_at = now() - interval '2 days' where id = $1", [id]);
    stage.hosts.git_host_a.troubles.push({ line: /^POST/, trouble: { status: 502 } });
    await work();
    assert.deepEqual(await targets(), []);
  });

  it("finds a renamed repository", async () => {
    const project = await installed("git_host_a");
    stage.hosts.git_host_a.rename("acme/shop", "acme/store");
    await deploy(project);
    await work();
    const { statuses } = stage.hosts.git_host_a.repositories.get("acme/store") ?? assert.fail();
    assert.equal(statuses.at(-1)?.description, "Queued");
  });

  it("of a deleted project is forgotten", async () => {
    const project = await installed("git_host_a");
    await deploy(project);
    await stage.pool.query("delete from projects where id = $1", [project]);
    await work();
    assert.deepEqual(await targets(), []);
  });
});

describe("no git host is asked", () => {
  const noReport = async () => {
    const jobs = await rows(stage.pool, sql`select 1 from queue.job where name = ${reportQueue} and state = 'created'`);
    assert.equal(jobs.length, 0);
  };

  it("without a connected account", async () => {
    const project = await createProject(stage, { type: "git_host_a" });
    await deploy(project);
    await noReport();
  });

  it("about a repository that a restricted member chose, before it is confirmed", async () => {
    const project = await installed("git_host_a");
    await stage.pool.query("update project_sources set needs_confirmation = true where project_id = $1", [project]);
    stage.hosts.git_host_a.requests.length = 0;
    await deploy(project);
    await work();
    assert.deepEqual(stage.hosts.git_host_a.requests, []);
  });

  it("about a restart", async () => {
    const project = await installed("git_host_a");
    await stage.pool.query("update projects set framework_id = 8 where id = $1", [project]);
    await stage.pool.query("update placements set port_pair = 21000, live_port = 21000 where project_id = $1", [
      project,
    ]);
    const reply = await ask(stage, `POST /api/v1/projects/${project}/recycle`);
    assert.equal(reply.status, 202, reply.text);
    await noReport();
  });
});
