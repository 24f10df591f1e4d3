import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Db } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { placeEvents } from "../../../engine/events.ts";
import { wakeDispatch } from "../../servers/dispatch.ts";
import { emptyQueue, jobsIn } from "../../servers/tests/support.ts";
import { listStartable } from "../queue/queries.ts";
import {
  addProject,
  addProvisioned,
  attend,
  deploy,
  dispatch,
  findRow,
  finishRun,
  openStage,
  type Stage,
  statuses,
  untilWaiting,
} from "./support.ts";

describe("the queue of a server", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.close());

  const setLimit = (serverId: number, limit: number | null) =>
    stage.pool.query("update servers set queue_limit = $2 where id = $1", [serverId, limit]);

  it("starts one deployment of a project at a time, in the order queued", async () => {
    const server = await addProvisioned(stage);
    const project = await addProject(stage.pool, server);
    const [first] = (await deploy(stage, project)) as [number];
    const [second] = (await deploy(stage, project)) as [number];
    await dispatch(stage, server);
    assert.deepEqual(await statuses(stage, [first, second]), [3, 0]);
    await dispatch(stage, server);
    assert.deepEqual(await statuses(stage, [first, second]), [3, 0]);
    await finishRun(stage, first, "failed");
    await dispatch(stage, server);
    assert.deepEqual(await statuses(stage, [first, second]), [2, 3]);
  });

  it("never runs more than queue_limit allows, also when looked at by many at once", async () => {
    const server = await addProvisioned(stage);
    await setLimit(server, 2);
    const projects = await Promise.all([1, 2, 3, 4, 5].map(() => addProject(stage.pool, server)));
    const ids = await deploy(stage, ...projects);
    await Promise.all([1, 2, 3, 4, 5, 6].map(() => dispatch(stage, server)));
    assert.equal((await statuses(stage, ids)).filter((status) => status === 3).length, 2);
    await setLimit(server, null);
    await dispatch(stage, server);
    assert.deepEqual(await statuses(stage, ids), [3, 3, 3, 3, 3]);
  });

  it("is looked at with those of other servers, each within its limit, also by many at once", async () => {
    const servers = [await addProvisioned(stage), await addProvisioned(stage), await addProvisioned(stage)];
    const [one, two, all] = servers as [number, number, number];
    await setLimit(one, 1);
    await setLimit(two, 2);
    const idsOf = async (server: number) => await deploy(stage, ...(await addProjects(server, 4)));
    const ids = [await idsOf(one), await idsOf(two), await idsOf(all)];
    await Promise.all([
      dispatch(stage, one, two, all),
      dispatch(stage, all, two, one),
      dispatch(stage, two),
      dispatch(stage, two, one),
    ]);
    const running = async (of: number[]) => (await statuses(stage, of)).filter((status) => status === 3).length;
    assert.deepEqual(await Promise.all(ids.map(running)), [1, 2, 4]);
    const runs = await stage.pool.query(
      `select count(*) as runs, count(distinct d.id) as deployments, count(distinct j.id) as jobs
       from deployments d join runs r on r.id = d.run_id and r.subject_id = d.id and r.server_id = d.server_id
         left join queue.job j on j.name = 'run' and (j.data ->> 'runId')::bigint = r.id
       where d.server_id = any($1)`,
      [servers],
    );
    assert.deepEqual(runs.rows, [{ runs: 7, deployments: 7, jobs: 7 }]);
  });

  it("is looked at by itself when another one of its job cannot be worked on", async () => {
    const [broken, good] = [await addProvisioned(stage), await addProvisioned(stage)];
    const [refused] = await deploy(stage, ...(await addProjects(broken, 1)));
    const [accepted] = await deploy(stage, ...(await addProjects(good, 1)));
    await emptyQueue(stage.pool, "dispatch-deployments");
    await stage.pool.query(`alter table runs add constraint no_more check (subject_id <> ${refused}) not valid`);
    try {
      await dispatch(stage, broken, good);
      const jobs = await jobsIn(stage.pool, "dispatch-deployments");
      assert.deepEqual(new Set(jobs.map(({ serverIds }) => String(serverIds))), new Set([`${broken}`, `${good}`]));
      await assert.rejects(dispatch(stage, broken));
      await dispatch(stage, good);
    } finally {
      await stage.pool.query("alter table runs drop constraint no_more");
    }
    assert.deepEqual(await statuses(stage, [refused as number, accepted as number]), [0, 3]);
  });

  it("stops none of those that run when the limit is lowered", async () => {
    const server = await addProvisioned(stage);
    const projects = await Promise.all([1, 2, 3].map(() => addProject(stage.pool, server)));
    const ids = await deploy(stage, ...projects);
    await dispatch(stage, server);
    await setLimit(server, 1);
    await dispatch(stage, server);
    assert.deepEqual(await statuses(stage, ids), [3, 3, 3]);
  });

  it("lets projects take turns", async () => {
    const server = await addProvisioned(stage);
    await setLimit(server, 1);
    const [busy, other] = [await addProject(stage.pool, server), await addProject(stage.pool, server)];
    const busyIds = [...(await deploy(stage, busy)), ...(await deploy(stage, busy)), ...(await deploy(stage, busy))];
    const [otherId] = (await deploy(stage, other)) as [number];
    await dispatch(stage, server);
    await finishRun(stage, busyIds[0] as number, "failed");
    await dispatch(stage, server);
    assert.equal((await findRow(stage, otherId)).status, 3);
    assert.deepEqual(await statuses(stage, busyIds), [2, 0, 0]);
  });

  it("continues with the end of a deployment, in one transaction", async () => {
    const server = await addProvisioned(stage);
    await setLimit(server, 2);
    const ids = await deploy(stage, ...(await addProjects(server, 4)));
    await dispatch(stage, server);
    await Promise.all(ids.slice(0, 2).map((id) => finishRun(stage, id, "failed")));
    assert.deepEqual(await statuses(stage, ids), [2, 2, 3, 3]);
  });

  it("keeps within its limit when deployments end while it is looked at", async () => {
    const server = await addProvisioned(stage);
    await setLimit(server, 3);
    const ids = await deploy(stage, ...(await addProjects(server, 8)));
    await dispatch(stage, server);
    await Promise.all([
      ...ids.slice(0, 3).map((id) => finishRun(stage, id, "succeeded")),
      dispatch(stage, server),
      dispatch(stage, server),
    ]);
    assert.deepEqual(await statuses(stage, ids), [1, 1, 1, 3, 3, 3, 0, 0]);
  });

  it("is looked at by a job when what is next cannot be started with the end of a deployment", async () => {
    const server = await addProvisioned(stage);
    await setLimit(server, 1);
    const ids = await deploy(stage, ...(await addProjects(server, 2)));
    await dispatch(stage, server);
    await emptyQueue(stage.pool, "dispatch-deployments");
    await stage.pool.query(`alter table runs add constraint no_more check (subject_id <> ${ids[1]}) not valid`);
    await finishRun(stage, ids[0] as number, "failed").finally(() =>
      stage.pool.query("alter table runs drop constraint no_more"),
    );
    assert.deepEqual(await statuses(stage, ids), [2, 0]);
    assert.deepEqual(await jobsIn(stage.pool, "dispatch-deployments"), [{ serverIds: [server] }]);
    await dispatch(stage, server);
    assert.deepEqual(await statuses(stage, ids), [2, 3]);
  });

  it("is looked at after each transaction that asks for it, also while a job waits", async () => {
    const server = await addProvisioned(stage);
    const [early, late] = [await addProject(stage.pool, server), await addProject(stage.pool, server)];
    const [earlyId] = (await deploy(stage, early)) as [number];
    const insertLate =
      "insert into deployments (organization_id, project_id, server_id, git_branch, description) select organization_id, id, server_id, 'main', '' from projects where id = $1 returning id";
    const lateId = await transaction(stage.pool, async (tx) => {
      const inserted = await tx.query(insertLate, [late]);
      // The wake-up of the early request is still waiting; a worker takes it before this transaction has committed.
      await wakeDispatch(tx, stage.ctx.queue, server);
      assert.ok(await takeWakeUp(server));
      await dispatch(stage, server);
      assert.ok(!(await takeWakeUp(server)));
      return Number(inserted.rows[0].id);
    });
    assert.deepEqual(await statuses(stage, [earlyId, lateId]), [3, 0]);
    assert.ok(await takeWakeUp(server));
    await dispatch(stage, server);
    assert.deepEqual(await statuses(stage, [earlyId, lateId]), [3, 3]);
  });

  it("goes past a deployment that cannot be planned", async () => {
    const server = await addProvisioned(stage);
    const [broken, good] = [await addProject(stage.pool, server), await addProject(stage.pool, server)];
    await stage.pool.query("update projects set framework_id = 8 where id = $1", [broken]);
    const ids = await deploy(stage, broken, good);
    await dispatch(stage, server);
    await attend(stage, ids[0] as number);
    assert.deepEqual(await statuses(stage, ids), [2, 3]);
    assert.match((await findRow(stage, ids[0] as number)).error ?? "", /failed unexpectedly/);
  });

  it("gives the room of one that cannot be planned to the next", async () => {
    const server = await addProvisioned(stage);
    await setLimit(server, 1);
    const [broken, good] = [await addProject(stage.pool, server), await addProject(stage.pool, server)];
    await stage.pool.query("update projects set framework_id = 8 where id = $1", [broken]);
    const ids = await deploy(stage, broken, good);
    await dispatch(stage, server);
    assert.deepEqual(await statuses(stage, ids), [3, 0]);
    await attend(stage, ids[0] as number);
    assert.deepEqual(await statuses(stage, ids), [2, 3]);
  });

  it("takes a thousand deployments in one request", async () => {
    const server = await addProvisioned(stage);
    const projects = await addProjects(server, 1000);
    // Not in the order of their ids.
    const asked = projects.toReversed();
    const ids = await deploy(stage, ...asked);
    assert.equal(ids.length, 1000);
    assert.ok((await statuses(stage, ids)).every((status) => status === 0));
    const queued = await stage.pool.query("select project_id from deployments where id = any($1) order by id", [ids]);
    assert.deepEqual(
      queued.rows.map((deployment) => Number(deployment.project_id)),
      asked,
    );
    await placeEvents(stage.pool);
    const events = await stage.pool.query(
      "select count(*) as count, count(distinct position) as places from events where name = 'deployment.updated' and server_id = $1",
      [server],
    );
    assert.deepEqual(events.rows, [{ count: 1000, places: 1000 }]);
    assert.equal(
      (await jobsIn(stage.pool, "dispatch-deployments")).filter((job) => (job.serverIds as number[]).includes(server))
        .length,
      1,
    );
  });

  it("starts all that may start, some at a time", async () => {
    const server = await addProvisioned(stage);
    const ids = await deploy(stage, ...(await addProjects(server, 25)));
    let looks = 0;
    for (; (await takeWakeUp(server)) && looks < 10; looks++) await dispatch(stage, server);
    assert.ok((await statuses(stage, ids)).every((status) => status === 3));
    assert.equal(looks, 3);
  });

  it("owes nothing to a project that was idle, and lets one with many wait for those with few", async () => {
    const server = await addProvisioned(stage);
    const [busy, idle, late] = (await addProjects(server, 3)) as [number, number, number];
    await setLimit(server, 1);
    for (const project of [busy, busy, busy, busy, busy]) await deploy(stage, project);
    // The fourth begins with the end of the third.
    assert.deepEqual(await beginNext(server, 3), [busy, busy, busy]);
    for (const project of [idle, idle, late, late]) await deploy(stage, project);
    assert.deepEqual(await beginNext(server, 6), [busy, idle, late, busy, idle, late]);
  });

  it("reads no more for a plan of a time when nothing waited", async () => {
    const server = await addProvisioned(stage);
    const projects = await addProjects(server, 100);
    const session = await stage.pool.connect();
    const explain = async (): Promise<PlanNode> => {
      const explained = await session.query(`explain (analyze, format json) execute startable(5, '{${server}}')`);
      return explained.rows[0]["QUERY PLAN"][0].Plan;
    };
    try {
      await session.query("begin");
      await session.query("delete from deployments");
      await queueTimes(10, projects, session);
      await session.query("update deployments set status = 5, ended_at = now()");
      await session.query("analyze deployments");
      await session.query("set local plan_cache_mode = force_generic_plan");
      const prepare = ({ text }: { text: string }) => session.query(`prepare startable (integer, bigint[]) as ${text}`);
      await listStartable({ query: prepare } as unknown as Db, [server], 5);
      await explain();
      await queueTimes(10, projects, session);
      const read = scannedBy(await explain());
      assert.ok(read >= 5 && read <= 50, `${read} rows were read for 5 of 1,000`);
    } finally {
      await session.query("rollback");
      session.release(true);
    }
  });

  it("reads only what may start, however many wait", async () => {
    const server = await addProvisioned(stage);
    const projects = await addProjects(server, 1000);
    for (let times = 0; times < 10; times++) await queueTimes(1, projects);
    await stage.pool.query("vacuum analyze deployments");
    const read = await rowsReadBy((db) => listStartable(db, [server], 5));
    assert.ok(read >= 5 && read <= 50, `${read} rows were read for 5 of 10,000`);
  });

  const queueTimes = (times: number, projects: readonly number[], db: Db = stage.pool) =>
    db.query(
      `insert into deployments (organization_id, project_id, server_id, git_branch, description)
       select p.organization_id, p.id, p.server_id, 'main', '' from projects p, generate_series(1, $2::int)
       where p.id = any($1)`,
      [projects, times],
    );

  /** Begins and ends one deployment after the other; returns their projects. */
  async function beginNext(server: number, count: number): Promise<number[]> {
    const projects: number[] = [];
    for (let at = 0; at < count; at++) {
      await dispatch(stage, server);
      const running = await stage.pool.query(
        "select id, project_id from deployments where server_id = $1 and status = 3",
        [server],
      );
      assert.equal(running.rowCount, 1);
      projects.push(Number(running.rows[0].project_id));
      await finishRun(stage, Number(running.rows[0].id), "failed");
    }
    return projects;
  }

  /** Takes the waiting wake-up of a server, as a worker does; false when there is none. */
  const takeWakeUp = async (server: number): Promise<boolean> => {
    const taken = await stage.pool.query(
      "delete from queue.job where name = 'dispatch-deployments' and state = 'created' and data -> 'serverIds' = $1",
      [JSON.stringify([server])],
    );
    return taken.rowCount === 1;
  };

  /** How many rows and index entries the database read for a query. */
  async function rowsReadBy(query: (db: Db) => Promise<unknown>): Promise<number> {
    const explain = ({ text, values }: { text: string; values: unknown[] }) =>
      stage.pool.query(`explain (analyze, format json) ${text}`, values);
    const [answer] = (await query({ query: explain } as unknown as Db)) as { "QUERY PLAN": [{ Plan: PlanNode }] }[];
    return scannedBy((answer as { "QUERY PLAN": [{ Plan: PlanNode }] })["QUERY PLAN"][0].Plan);
  }

  const addProjects = async (server: number, count: number): Promise<number[]> => {
    const inserted = await stage.pool.query(
      `with made as (
         insert into projects (organization_id, server_id, name, framework_id, repository_type, repository, repository_branch)
         select organization_id, id, 'p', 10, 'git', 'https://git.example.com/shop.git', 'main'
         from servers, generate_series(1, $2::int) where id = $1 returning id, server_id
       ), placed as (
         insert into placements (project_id, server_id, role) select id, server_id, 'own' from made
       ), sites as (
         insert into sites (project_id) select id from made
       )
       insert into domains (project_id, domain_name, is_primary) select id, 'many-' || id || '.example.com', true from made
       returning project_id as id`,
      [server, count],
    );
    return inserted.rows.map((project) => Number(project.id));
  };
});

describe("many deployments at once", () => {
  let stage: Stage;
  let projects: number[];
  before(async () => {
    stage = await openStage();
    const server = await addProvisioned(stage);
    projects = await Promise.all(Array.from({ length: 60 }, () => addProject(stage.pool, server)));
  });
  after(() => stage.close());

  it("take no longer the more wait, also for a session that has known few", async () => {
    await stage.pool.query("vacuum analyze deployments");
    const session = await stage.pool.connect();
    const queueAll = () =>
      session.query(
        `insert into deployments (organization_id, project_id, server_id, git_branch, description)
         select organization_id, id, server_id, 'main', '' from projects where id = any($1)`,
        [projects],
      );
    try {
      await queueAll();
      await session.query("begin");
      await queueAll();
      const read = await session.query(
        "select seq_tup_read from pg_stat_xact_user_tables where relname = 'deployments'",
      );
      assert.equal(Number(read.rows[0].seq_tup_read), 0, "deployments that were read to queue others");
    } finally {
      await session.query("rollback");
      session.release();
    }
  });

  it("are queued by one request after the other, and no other request waits for them", async () => {
    const [held, other] = projects as [number, number];
    let waiting: Promise<number[][]> | undefined;
    await transaction(stage.pool, async (tx) => {
      await tx.query("select 1 from projects where id = $1 for update", [held]);
      // More than there are connections.
      waiting = Promise.all(Array.from({ length: 15 }, () => deploy(stage, ...projects)));
      await untilWaiting(stage.pool);
      assert.equal((await deploy(stage, other)).length, 1);
    });
    for (const ids of (await waiting) ?? []) {
      const [first, last] = [Math.min(...ids), Math.max(...ids)];
      assert.equal(last - first, projects.length - 1, "no other request came between");
    }
    assert.equal((await waiting)?.length, 15);
  });
});

interface PlanNode {
  "Node Type": string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: PlanNode[];
}

function scannedBy(node: PlanNode): number {
  const own = node["Node Type"].includes("Scan")
    ? (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"]
    : 0;
  return (node.Plans ?? []).reduce((sum, child) => sum + scannedBy(child), own);
}
