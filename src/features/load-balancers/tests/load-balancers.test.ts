import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { scriptsOf, shellcheck } from "../../../../test/shellcheck.ts";
import { row, rows, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { targetRunKind } from "../../../engine/reconcile/apply.ts";
import { endRun, type Run } from "../../../engine/runs/queries.ts";
import { reconcileAll } from "../../../engine/tests/engines.ts";
import { completeSteps } from "../../../engine/tests/support.ts";
import { features } from "../../../features.ts";
import { projectLayout } from "../../../host/layout.ts";
import { drainingFlag } from "../../../host/nginx/balancer.ts";
import { call, type Reply } from "../../../http/tests/support.ts";
import { pollUntil } from "../../../lib/clock.ts";
import {
  addProject,
  addProvisioned,
  deploy,
  deployed,
  dispatch,
  findRow,
  finishRun,
  makeNode,
  openStage,
  planOf,
  type Stage,
  startRuns,
  untilWaiting,
} from "../../deployments/tests/support.ts";
import { projectRunKinds, projectTargets } from "../../projects/jobs.ts";
import { errorsOf } from "../../servers/tests/support.ts";
import { siteRunKinds, siteTargets } from "../../sites/jobs.ts";
import type { NodeRow } from "../schema.ts";
import { parseFlags, stateOf } from "../state.ts";

let stage: Stage;
let balancer: number;
let own: number;
let second: number;
let third: number;
let project: number;

before(async () => {
  stage = await openStage();
  balancer = await addProvisioned(stage, { name: "front", server_type: 4 });
  own = await addProvisioned(stage, { name: "own" });
  second = await addProvisioned(stage, { name: "second" });
  third = await addProvisioned(stage, { name: "third" });
});
after(() => stage.close());

const as = (token: string, route: string, body?: object): Promise<Reply> =>
  call(stage.app, route, { token, ...(body && { body }) });
const ask = (route: string, body?: object): Promise<Reply> => as(stage.cast.alice, route, body);

const balance = (serverIds: unknown[] = [second, third], balancerId: unknown = balancer, id = project) =>
  ask(`PUT /api/v1/projects/${id}/load-balancer`, { load_balancer_id: balancerId, server_ids: serverIds });

/** The project on its further servers. */
const further = (id = project) =>
  rows<{ server_id: number; role: string }>(
    stage.pool,
    sql`select server_id, role from placements where project_id = ${id} and role <> 'own' order by server_id`,
  );

/** A static project that is installed, without a load balancer. */
async function installed(): Promise<number> {
  await stage.pool.query("delete from projects");
  await stage.pool.query("delete from runs");
  await stage.pool.query("delete from targets");
  project = await addProject(stage.pool, own);
  await deployed(stage, project, own);
  await stage.pool.query("update placements set is_prepared = true where project_id = $1", [project]);
  return project;
}

const openRuns = async (kinds: readonly string[]) => {
  // The load balancer follows the servers.
  for (let pass = 1; pass <= 2; pass++) {
    await reconcileAll(stage.ctx, [...projectTargets(stage.ctx), ...siteTargets(stage.ctx)]);
  }
  return rows<Run>(stage.pool, sql`select * from runs where kind = any(${kinds}) and ended_at is null order by id`);
};

/** Ends a run as its follower does; all of its steps succeeded, or none. */
async function endIt(run: Run, outcome: "succeeded" | "failed" = "succeeded"): Promise<void> {
  const targets = [...projectTargets(stage.ctx), ...siteTargets(stage.ctx)].map((target) =>
    targetRunKind(stage.ctx, target),
  );
  const kinds = [...projectRunKinds(), ...siteRunKinds(), ...targets];
  if (outcome === "succeeded") {
    await completeSteps(stage.pool, run.id);
  }
  await transaction(stage.pool, async (tx) => {
    const ended = await endRun(tx, run.id, {
      state: outcome,
      error: outcome === "succeeded" ? null : "It went wrong.",
    });
    if (ended) await kinds.find(({ kind }) => kind === run.kind)?.onEnded(tx, ended, outcome);
  });
}

/** Ends every run about sites; returns them in order. */
async function settle(): Promise<{ kind: string; server: number | null; text: string }[]> {
  const published = [];
  for (;;) {
    const [run] = await openRuns(["site", "balancer-site"]);
    if (!run) return published;
    const text = run.plan.steps.map(({ script }) => script).join("\n");
    published.push({ kind: run.kind, server: run.server_id, text });
    await endIt(run);
  }
}

/** The runs about sites while a request waits for them. */
async function publishedDuring(request: Promise<Reply>): Promise<Awaited<ReturnType<typeof settle>>> {
  const published = [];
  let isDone = false;
  const reply = request.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    published.push(...(await settle()));
    await new Promise((next) => setImmediate(next));
  }
  assert.ok((await reply).status < 300, (await reply).text);
  return [...published, ...(await settle())];
}

/** Runs all queued deployments, one after the other; returns their servers. */
async function deployAll(outcome: "succeeded" | "failed" = "succeeded"): Promise<{ server: number; id: number }[]> {
  const done = [];
  for (;;) {
    const next = await row<{ id: number; server_id: number }>(
      stage.pool,
      sql`select id, server_id from deployments where status = 0 order by id limit 1`,
    );
    if (!next) return done;
    await dispatch(stage, next.server_id);
    await startRuns(stage);
    await completeSteps(stage.pool, (await findRow(stage, next.id)).run_id as number);
    await finishRun(stage, next.id, outcome, { commit: "b".repeat(40) });
    done.push({ server: next.server_id, id: next.id });
  }
}

/** Behind the balancer on three servers, and served. */
async function balanced(): Promise<void> {
  await installed();
  const reply = await balance();
  assert.equal(reply.status, 202, reply.text);
  await deployAll();
  await settle();
}

describe("a request to put a project behind a load balancer", () => {
  beforeEach(() => installed());

  it("installs it on each further server, with the commit that is live", async () => {
    const reply = await balance();
    assert.equal(reply.status, 202, reply.text);
    assert.deepEqual(await further(), [
      { server_id: second, role: "replica" },
      { server_id: third, role: "replica" },
    ]);
    const queued = await Promise.all(reply.body.deployment_ids.map((id: number) => findRow(stage, id)));
    assert.deepEqual(
      queued.map(({ project_id, server_id, commit_id, status }) => [project_id, server_id, commit_id, status]),
      [second, third].map((server) => [project, server, "a".repeat(40), 0]),
    );
    assert.equal((await ask(`GET /api/v1/projects/${project}`)).body.load_balancer_id, balancer);
    assert.equal((await ask("GET /api/v1/projects")).body.data.length, 1);
  });

  it("begins on several servers at once", async () => {
    const { deployment_ids: ids } = (await balance()).body;
    for (const server of [second, third]) await dispatch(stage, server);
    const states = await Promise.all(ids.map((id: number) => findRow(stage, id)));
    assert.deepEqual(
      states.map(({ status }) => status),
      [3, 3],
    );
    for (const id of ids) await finishRun(stage, id, "failed");
  });

  it("is refused field by field", async () => {
    const unready = await addProvisioned(stage, { name: "unready" });
    await stage.pool.query("update servers set connection_status = 0 where id = $1", [unready]);
    for (const [servers, front, field, sentence] of [
      [[second], own, "load_balancer_id", /own is no load balancer/],
      [[second], 999_999, "load_balancer_id", /load balancer does not exist/],
      [[own], balancer, "server_ids", /project's own server/],
      [[balancer], balancer, "server_ids", /front is no App server/],
      [[999_999], balancer, "server_ids", /server 999999 does not exist/],
      [[second, second], balancer, "server_ids", /listed once/],
      [[unready], balancer, "server_ids", /unready is not connected/],
      [[], balancer, "server_ids", /list of servers/],
      [[1, 2, 3, 4, 5, 6, 7, 8], balancer, "server_ids", /list of servers/],
    ] as const) {
      const reply = await balance([...servers], front);
      assert.equal(reply.status, 422, reply.text);
      assert.match(errorsOf(reply)[field] ?? "", sentence);
    }
    assert.deepEqual(await further(), []);
  });

  it("finds no server of another organization", async () => {
    const foreign = await addProvisioned(stage, { name: "foreign" }, stage.cast.charlie);
    assert.match(errorsOf(await balance([foreign])).server_ids ?? "", /does not exist/);
    assert.match(errorsOf(await balance([second], foreign)).load_balancer_id ?? "", /does not exist/);
  });

  it("is refused for what is not installed, in maintenance, or behind another one", async () => {
    const other = await addProvisioned(stage, { name: "other front", server_type: 4 });
    const refused = async (sentence: RegExp, front = balancer) => {
      const reply = await balance([second], front);
      assert.equal(reply.status, 422, reply.text);
      assert.match(reply.body.message, sentence);
    };
    await stage.pool.query("update projects set installation_status = 0 where id = $1", [project]);
    await refused(/not installed yet/);
    await stage.pool.query("update projects set installation_status = 1 where id = $1", [project]);
    await stage.pool.query("update sites set maintenance_mode = true where project_id = $1", [project]);
    await refused(/in maintenance/);
    await stage.pool.query("update sites set maintenance_mode = false, load_balancer_id = $2 where project_id = $1", [
      project,
      other,
    ]);
    await refused(/another load balancer/);
  });
});

describe("a project behind a load balancer", () => {
  beforeEach(() => balanced());

  it("goes to its servers first, and to the load balancer with all of them", async () => {
    const published = await publishedDuring(ask(`PUT /api/v1/projects/${project}`, { max_upload_mb: 7 }));
    assert.deepEqual(
      published.map(({ kind, server }) => [kind, server]),
      [
        ["site", own],
        ["site", second],
        ["site", third],
        ["balancer-site", balancer],
      ],
    );
    assert.ok(published.every(({ text }) => text.includes("client_max_body_size 7m")));
    const front = published.at(-1)?.text ?? "";
    assert.equal(front.match(/upstream longshore_project_\d+_node_\d/g)?.length, 3);
    const [{ public_ip: address } = { public_ip: "" }] = await rows<{ public_ip: string }>(
      stage.pool,
      sql`select public_ip from servers where id = ${balancer}`,
    );
    assert.ok(published.slice(0, 3).every(({ text }) => text.includes(`"${address} ${project}" ask`)));
  });

  it("has nothing more to report then", async () => {
    assert.deepEqual(await settle(), []);
  });

  it("gets a new name on all servers", async () => {
    const name = `more-${project}.example.com`;
    const published = await publishedDuring(ask(`POST /api/v1/projects/${project}/domains`, { domain: name }));
    assert.equal(published.filter(({ text }) => text.includes(name)).length, 4);
  });

  it("is deployed to one server after the other, with one commit", async () => {
    const [id = 0] = await deploy(stage, project);
    const done = await deployAll();
    assert.deepEqual(
      done.map(({ server }) => server),
      [own, second, third],
    );
    const [, ...further] = await Promise.all(done.map((each) => findRow(stage, each.id)));
    assert.deepEqual(
      further.map(({ rolling_of, commit_id, git_branch }) => [rolling_of, commit_id, git_branch]),
      [
        [id, "b".repeat(40), "main"],
        [id, "b".repeat(40), "main"],
      ],
    );
  });

  it("is not carried on when a deployment fails: what is left serves what it served", async () => {
    await deploy(stage, project);
    await dispatch(stage, own);
    const [running] = await rows<{ id: number }>(stage.pool, sql`select id from deployments where status = 3`);
    await finishRun(stage, running?.id as number, "succeeded", { commit: "c".repeat(40) });
    const done = await deployAll("failed");
    assert.deepEqual(
      done.map(({ server }) => server),
      [second],
    );
    // The rerun is continued on the next server.
    assert.equal((await ask(`POST /api/v1/deployments/${done[0]?.id}/rerun`)).status, 202);
    assert.deepEqual(
      (await deployAll()).map(({ server }) => server),
      [second, third],
    );
  });

  it("is deployed while its server is out of the load balancer", async () => {
    const [id = 0] = await deploy(stage, project);
    await dispatch(stage, own);
    const { steps } = await planOf(stage, id);
    const keys = steps.map(({ key }) => key);
    const at = (key: string) => keys.indexOf(key);
    assert.ok(at("leave-balancer") === at("activate") - 1, keys.join(" "));
    assert.ok(at("join-balancer") === at("verify-served") + 1);
    const leaving = steps[at("leave-balancer")];
    assert.match(leaving?.undo ?? "", new RegExp(`rm -f -- '?${drainingFlag(projectLayout(project))}`));
    await finishRun(stage, id, "failed");
  });

  it("is deployed in maintenance without a look at its front page, which no visitor sees", async () => {
    const looks = async (isOn: boolean): Promise<boolean> => {
      await stage.pool.query("update sites set maintenance_mode = $2 where project_id = $1", [project, isOn]);
      const [id = 0] = await deploy(stage, project);
      await dispatch(stage, own);
      const { steps } = await planOf(stage, id);
      await finishRun(stage, id, "failed");
      return !/^held_flag=''$/m.test(steps.find(({ key }) => key === "verify-served")?.script ?? "");
    };
    assert.deepEqual([await looks(true), await looks(false)], [false, true]);
  });

  it("is deployed in place out of the load balancer from the first step on, and comes back when that fails", async () => {
    await stage.pool.query("update projects set zero_downtime = false where id = $1", [project]);
    const [id = 0] = await deploy(stage, project);
    await dispatch(stage, own);
    const { steps } = await planOf(stage, id);
    const first = steps.findIndex(({ key }) => key === "leave-balancer");
    assert.equal(steps[first + 1]?.key, "check-disk-space");
    assert.ok(steps[first]?.undo);
    await finishRun(stage, id, "failed");
  });

  it("is rolled back and on further servers, too, to the release of that commit", async () => {
    const [former] = await rows<{ id: number }>(
      stage.pool,
      sql`select id from deployments where project_id = ${project} and status = 1 order by id limit 1`,
    );
    await deploy(stage, project);
    await deployAll();
    const reply = await ask(`POST /api/v1/deployments/${former?.id}/rollback`);
    assert.equal(reply.status, 202, reply.text);
    await dispatch(stage, own);
    await finishRun(stage, reply.body.deployment_id, "succeeded", { commit: "a".repeat(40) });
    const [next] = await rows<{ process_type: string; commit_id: string; release_id: number }>(
      stage.pool,
      sql`select process_type, commit_id, release_id from deployments where status = 0`,
    );
    assert.deepEqual([next?.process_type, next?.commit_id], ["rollback", "a".repeat(40)]);
    await deployAll();
  });

  it("is deployed to further servers with its own settings", async () => {
    await ask(`PUT /api/v1/projects/${project}`, { custom_commands: { build: "make all" } });
    await deploy(stage, project);
    await dispatch(stage, own);
    const [first] = await rows<{ id: number }>(stage.pool, sql`select id from deployments where status = 3`);
    await finishRun(stage, first?.id as number, "succeeded", { commit: "d".repeat(40) });
    const [carried] = await rows<{ id: number }>(stage.pool, sql`select id from deployments where status = 0`);
    await dispatch(stage, second);
    const { steps } = await planOf(stage, carried?.id as number);
    assert.ok(steps.some(({ script }) => script.includes("make all")));
    await finishRun(stage, carried?.id as number, "failed");
  });

  it("shows the deployments of all its servers, and offers those of its own for a rollback", async () => {
    await deploy(stage, project);
    await deployAll();
    const list = (await ask(`GET /api/v1/projects/${project}/deployments`)).body.data as { server_id: number }[];
    assert.deepEqual(
      list.slice(0, 3).map(({ server_id }) => server_id),
      [third, second, own],
    );
    const candidates = (await ask(`GET /api/v1/projects/${project}/rollback-candidates`)).body as { id: number }[];
    const servers = await Promise.all(candidates.map(async ({ id }) => (await findRow(stage, id)).server_id));
    assert.ok(servers.length > 0 && servers.every((server) => server === own), servers.join(" "));
  });

  it("keeps what a deleted server had, and begins nothing of it on its own server", async () => {
    const fourth = await addProvisioned(stage, { name: "fifth" });
    await balance([second, third, fourth]);
    await deployAll();
    await settle();
    const [root] = await deploy(stage, project);
    await stage.pool.query("update deployments set status = 5, ended_at = now() where status = 0");
    const insert = (status: number) =>
      row<{ id: number }>(
        stage.pool,
        sql`
          insert into deployments (organization_id, project_id, server_id, git_branch, description, status, rolling_of, started_at)
          select organization_id, id, ${fourth}, 'main', 'x', ${status}, ${root},
            case when ${status} = 3 then now() end
          from projects where id = ${project} returning id`,
      );
    const [one, other] = [(await insert(3))?.id as number, (await insert(0))?.id as number];
    assert.equal((await ask(`DELETE /api/v1/servers/${fourth}`)).status, 200);
    const [failed, dropped] = [await findRow(stage, one), await findRow(stage, other)];
    assert.deepEqual([failed.status, failed.server_id], [2, own]);
    assert.deepEqual([dropped.status, dropped.server_id], [5, own]);
    const events = await rows<{ data: { id: number; status: number } }>(
      stage.pool,
      sql`select data from events where name = 'deployment.updated' and server_id = ${fourth} order by id desc limit 2`,
    );
    assert.deepEqual(
      new Map(events.map(({ data }) => [data.id, data.status])),
      new Map([
        [one, 2],
        [other, 5],
      ]),
    );
    await settle();
  });

  const waiting = () =>
    rows<{ server_id: number; rolling_of: number }>(
      stage.pool,
      sql`select server_id, rolling_of from deployments where status in (0, 3) and rolling_of is not null order by id`,
    );

  it("is not put on a server that is deleted in that instant, and the answer names it", async () => {
    const gone = await addProvisioned(stage, { name: "gone" });
    let reply: Promise<Reply> | undefined;
    await transaction(stage.pool, async (tx) => {
      await tx.query("delete from servers where id = $1", [gone]);
      reply = balance([gone]);
      await untilWaiting(stage.pool);
    });
    assert.deepEqual([(await reply)?.status, (await reply)?.body.message], [404, `The server ${gone} was not found.`]);
  });

  it("is deployed to the servers after one that is deleted", async () => {
    const first = await addProvisioned(stage, { name: "sixth" });
    const next = await addProvisioned(stage, { name: "seventh" });
    await balance([first, next]);
    await deployAll();
    await settle();
    const root = await deployed(stage, project, own);
    assert.deepEqual(await waiting(), [{ server_id: first, rolling_of: root }]);
    assert.equal((await ask(`DELETE /api/v1/servers/${first}`)).status, 200);
    assert.deepEqual(await waiting(), [{ server_id: next, rolling_of: root }]);
    await settle();
  });

  it("is deployed to the servers after one that leaves, also when its deployment there is cancelled as it runs", async () => {
    for (const isRunning of [false, true]) {
      await balanced();
      const root = await deployed(stage, project, own);
      assert.deepEqual(await waiting(), [{ server_id: second, rolling_of: root }]);
      if (isRunning) await dispatch(stage, second);
      await startRuns(stage);
      const [carried] = await rows<{ id: number }>(
        stage.pool,
        sql`select id from deployments where rolling_of = ${root} and status in (0, 3)`,
      );
      assert.ok(carried);
      assert.equal((await balance([third])).status, 202);
      if (isRunning) {
        await settle();
        await finishRun(stage, carried.id, "cancelled");
      }
      assert.deepEqual(await waiting(), [{ server_id: third, rolling_of: root }]);
      assert.equal((await findRow(stage, carried.id)).status, 5);
    }
  });

  it("is deployed to no other server when it is taken out", async () => {
    await balanced();
    await deployed(stage, project, own);
    assert.equal((await waiting()).length, 1);
    assert.equal((await ask(`DELETE /api/v1/projects/${project}/load-balancer`)).status, 202);
    assert.deepEqual(await waiting(), []);
  });

  it("loses a server to which an earlier move could not be completed", async () => {
    await balanced();
    // The project was on it, and the server to which it was to be moved then is still to be cleared.
    await stage.pool.query(
      `insert into moves (deployment_id, project_id, source_id, databases, outcome) values (1, $1, $2, '[]', 'failed')`,
      [project, third],
    );
    assert.equal((await balance([second])).status, 202);
    await settle();
    assert.deepEqual(
      (await further()).map(({ server_id }) => server_id),
      [second],
    );
    await stage.pool.query("delete from moves");
  });

  it("loses a server only when the load balancer sends no visitor there any more", async () => {
    await deploy(stage, project);
    await stage.pool.query("update deployments set server_id = $1 where status = 0", [third]);
    assert.equal((await balance([second])).status, 202);
    assert.deepEqual(
      (await further()).map(({ role }) => role),
      ["replica", "leaving"],
    );
    assert.deepEqual(await rows(stage.pool, sql`select 1 from deployments where status = 0`), []);
    assert.deepEqual(await openRuns(["project-removal"]), []);
    const published = await settle();
    assert.doesNotMatch(
      published.at(-1)?.text ?? "",
      new RegExp(`upstream longshore_project_${project}_node_${third} `),
    );
    assert.equal((await further()).length, 1);
    const [removal] = await openRuns(["project-removal"]);
    assert.deepEqual([removal?.server_id, removal?.subject_id], [third, project]);
    assert.equal(removal?.plan.steps[0]?.key, "finish-requests");
    await endIt(removal as Run);
  });

  it("loses a server that never served, too", async () => {
    await balance([second]);
    await settle();
    assert.match((await balance([second, third])).body.message, /third had of the project is still being removed/);
    for (const run of await openRuns(["project-removal"])) await endIt(run);
    assert.equal((await balance([second, third])).status, 202);
    await settle();
    assert.equal((await further()).length, 2);
    assert.equal((await balance([second])).status, 202);
    await settle();
    assert.deepEqual(
      (await further()).map(({ server_id }) => server_id),
      [second],
    );
  });

  it("is brought to the load balancer again when that failed, and the request reports why", async () => {
    await stage.pool.query(
      "update targets set applied_mark = 'of before' where kind = 'balancer-site' and subject_id = $1",
      [project],
    );
    const reply = ask(`GET /api/v1/projects/${project}/publish`);
    const next = (kind: string) =>
      pollUntil(async () => (await openRuns([kind])).at(0), { timeoutMs: 30_000, everyMs: 10 }) as Promise<Run>;
    await endIt(await next("site"));
    const refused = await next("balancer-site");
    await stage.pool.query("update runs set journal_offset = 1 where id = $1", [refused.id]);
    await endIt(refused, "failed");
    assert.deepEqual([(await reply).status, (await reply).body.status], [200, "failed"]);
    assert.match((await reply).body.message, /It went wrong/);
    const again = await settle();
    assert.deepEqual(
      again.map(({ kind, server }) => [kind, server]),
      [["balancer-site", balancer]],
    );
    assert.deepEqual(await settle(), []);
  });

  it("serves by itself again when it is taken out, and is removed from the others", async () => {
    const gone = (await further()).map(({ server_id }) => server_id);
    const reply = await ask(`DELETE /api/v1/projects/${project}/load-balancer`);
    assert.equal(reply.status, 202, reply.text);
    const removals = await openRuns(["project-removal"]);
    assert.deepEqual(
      removals.map(({ server_id }) => server_id),
      [...gone, balancer],
    );
    assert.match((await balance()).body.message, /still being removed/);
    const published = await settle();
    assert.deepEqual(
      published.map(({ kind, server }) => [kind, server]),
      [["site", own]],
    );
    assert.doesNotMatch(published[0]?.text ?? "", /longshore_balancer_\d/);
    for (const run of removals) await endIt(run);
    assert.equal((await balance()).status, 202);
    await deployAll();
    await settle();
  });

  it("takes everything along when it is deleted", async () => {
    assert.equal((await ask(`DELETE /api/v1/project/${project}`)).status, 200);
    const removals = await openRuns(["project-removal"]);
    assert.deepEqual(
      removals.map(({ subject_id, server_id }) => [subject_id, server_id]),
      [
        [project, own],
        [project, second],
        [project, third],
        [project, balancer],
      ],
    );
    assert.deepEqual(await further(), []);
    for (const run of removals) await endIt(run);
  });

  it("keeps its own server and its load balancer from being deleted or transferred, and loses others with their server", async () => {
    const fourth = await addProvisioned(stage, { name: "fourth" });
    await balance([second, fourth]);
    await deployAll();
    await settle();
    for (const id of [own, balancer]) {
      const reply = await ask(`DELETE /api/v1/servers/${id}`);
      assert.equal(reply.status, 422, reply.text);
      assert.match(reply.body.message, /behind/);
    }
    const organization = await ask("POST /api/v1/organizations", { name: "Another" });
    const organization_id = organization.body.organization_id ?? organization.body.id ?? organization.body.data?.id;
    for (const id of [own, balancer, fourth]) {
      const reply = await ask(`POST /api/v1/servers/${id}/transfer-organization`, { organization_id });
      assert.equal(reply.status, 422, reply.text);
      assert.match(reply.body.message, /behind a load balancer/);
    }
    assert.equal((await ask(`DELETE /api/v1/servers/${fourth}`)).status, 200);
    const [front] = await settle();
    assert.equal(front?.kind, "balancer-site");
    assert.equal(front?.text.match(/upstream longshore_project_\d+_node_\d/g)?.length, 2);
  });

  it("is not moved", async () => {
    const reply = await ask(`POST /api/v1/projects/${project}/move`, { server_id: third });
    assert.equal(reply.status, 422, reply.text);
    assert.match(reply.body.message, /behind a load balancer/);
  });

  it("has its certificate where visitors come to, and none on its further servers", async () => {
    await stage.pool.query("update sites set ssl_is_enabled = true where project_id = $1", [project]);
    const insert = (serverId: number) =>
      stage.pool.query(
        `insert into certificates (project_id, status, version, server_id, names, not_before, not_after, renew_at)
         select $1, 1, 77, $2, array_agg(domain_name), now(), now() + interval '90 days', now() + interval '60 days'
         from domains where project_id = $1
         on conflict (project_id) do update set server_id = excluded.server_id`,
        [project, serverId],
      );
    // From before the load balancer: its own server keeps serving visitors that still reach it.
    await insert(own);
    await stage.pool.query("update sites set max_upload_mb = 8 where project_id = $1", [project]);
    const first = await publishedDuring(ask(`PUT /api/v1/projects/${project}`, { max_upload_mb: 9 }));
    const withKey = (published: Awaited<ReturnType<typeof settle>>) => [
      ...new Set(published.filter(({ text }) => text.includes(`project-${project}/77`)).map(({ server }) => server)),
    ];
    assert.deepEqual(withKey(first), [own]);
    await insert(balancer);
    const then = await publishedDuring(ask(`PUT /api/v1/projects/${project}`, { max_upload_mb: 10 }));
    assert.deepEqual(withKey(then), [balancer]);
  });

  it("shows its servers, and shows an unknown state when the load balancer does not answer", async () => {
    const { data } = (await ask(`GET /api/v1/projects/${project}/load-balancer`)).body;
    assert.deepEqual(
      [data.load_balancer_id, data.load_balancer_name, data.nodes.map(({ state }: { state: string }) => state)],
      [balancer, "front", ["unknown", "unknown", "unknown"]],
    );
  });
});

it("the state of a server comes from the load balancer's flags, once it serves", () => {
  const flags = parseFlags("/srv/longshore/projects/7/state/out-9:draining\n/srv/state/out-12:unreachable\n");
  const node: NodeRow = { server_id: 9, server_name: "x", is_live: true, role: "replica" };
  assert.equal(stateOf(node, flags), "draining");
  assert.equal(stateOf({ ...node, server_id: 12 }, flags), "unreachable");
  assert.equal(stateOf({ ...node, server_id: 7 }, flags), "serving");
  assert.equal(stateOf({ ...node, is_live: false }, flags), "installing");
  assert.equal(stateOf({ ...node, role: "leaving" }, flags), "leaving");
  assert.equal(stateOf(node, undefined), "unknown");
});

it("is done by scripts without findings of shellcheck", async () => {
  await installed();
  await makeNode(stage, project);
  const scripts: Record<string, string> = {};
  const take = ({ plan }: Pick<Run, "plan">) => Object.assign(scripts, scriptsOf(plan));
  await balance();
  await deploy(stage, project);
  for (const server of [second, third, own]) await dispatch(stage, server);
  await startRuns(stage);
  for (const run of await openRuns(["deployment", "site"])) take(run);
  for (const run of await openRuns(["site"])) await endIt(run);
  for (const run of await openRuns(["balancer-site"])) take(run);
  await stage.pool.query("update placements set role = 'leaving' where role = 'replica'");
  await stage.pool.query("update runs set ended_at = now(), state = 'failed' where ended_at is null");
  await ask(`DELETE /api/v1/projects/${project}/load-balancer`);
  for (const run of await openRuns(["project-removal"])) take(run);
  const names = Object.keys(scripts);
  for (const key of [
    "project-removal.finish-requests",
    "balancer-site.follow-nodes",
    "balancer-site.publish-site",
    "deployment.leave-balancer",
    "deployment.leave-balancer.undo",
  ]) {
    assert.ok(names.includes(key), `${key} among ${names.join(" ")}`);
  }
  // Warnings about words that are data, and about unused results of shared functions.
  const ofData = /\[SC(?:2016|2140|1091|2043|2034)\]$/;
  assert.deepEqual(
    shellcheck(scripts)
      .split("\n")
      .filter((line) => line !== "" && !ofData.test(line)),
    [],
  );
});

it("comes after what it uses", () => {
  const names = features.map(({ name }) => name);
  assert.ok(names.indexOf("load-balancers") > names.indexOf("deployments"));
});
