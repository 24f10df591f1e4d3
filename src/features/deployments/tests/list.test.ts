import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Pool } from "../../../db/pool.ts";
import { type Db, rows, type Sql, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { call, restrict } from "../../../http/tests/support.ts";
import type { Actor } from "../../accounts/reach.ts";
import { holdDeployment } from "../queue/queries.ts";
import { type DeploymentFilter, findNewest } from "../records/queries.ts";
import { addProject, addProvisioned, deploy, deployed, dispatch, finishRun, openStage, type Stage } from "./support.ts";

let stage: Stage;
let server: number;
before(async () => {
  stage = await openStage();
  server = await addProvisioned(stage, { name: "web-1" });
});
after(() => stage.close());

const list = (query = "", token = stage.cast.alice) => call(stage.app, `GET /api/v1/deployments${query}`, { token });

async function idsOf(query = "", token = stage.cast.alice): Promise<number[]> {
  const reply = await list(query, token);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.data.map(({ id }: { id: number }) => id);
}

const show = async (id: number, token = stage.cast.alice) =>
  (await call(stage.app, `GET /api/v1/deployments/${id}`, { token })).body;

/** A deployment that has ended, with the given columns. */
async function add(projectId: number, columns: Record<string, unknown> = {}): Promise<number> {
  const values: Record<string, unknown> = { git_branch: "main", description: "Requested by hand", ...columns };
  const names = Object.keys(values);
  const { rows: added } = await stage.pool.query<{ id: number }>(
    `insert into deployments (organization_id, project_id, server_id, status, started_at, ended_at, ${names.join(", ")})
     select organization_id, id, server_id, 1, now(), now(), ${names.map((_, at) => `$${at + 2}`).join(", ")}
     from projects where id = $1 returning id`,
    [projectId, ...Object.values(values)],
  );
  return (added[0] as { id: number }).id;
}

describe("all deployments", () => {
  it("are listed from the newest on, page by page, whatever is added in between", async () => {
    const projects = [await addProject(stage.pool, server), await addProject(stage.pool, server)];
    const ids: number[] = [];
    for (const at of [0, 1, 0, 1, 1]) ids.unshift(await add(projects[at] as number));
    const filter = `project_id=${projects.join()}`;
    const first = await list(`?${filter}&per_page=2`);
    assert.deepEqual(first.body.next_before, ids[1]);
    await add(projects[0] as number);
    const second = await list(`?${filter}&per_page=2&before=${first.body.next_before}`);
    const third = await list(`?${filter}&per_page=2&before=${second.body.next_before}`);
    const listed = [first, second, third].flatMap(({ body }) => body.data.map(({ id }: { id: number }) => id));
    assert.deepEqual(listed, ids);
    assert.equal(third.body.next_before, null);
    assert.ok(!("output" in first.body.data[0]));
  });

  it("are 15 on a page unless asked otherwise", async () => {
    const project = await addProject(stage.pool, server);
    for (let added = 0; added < 16; added++) await add(project);
    assert.equal((await idsOf()).length, 15);
    assert.equal((await idsOf(`?project_id=${project}&per_page=100`)).length, 16);
  });

  it("are those within the reach of who asks", async () => {
    const other = await addProvisioned(stage);
    const [listed, onServer, hidden] = [
      await addProject(stage.pool, server),
      await addProject(stage.pool, other),
      await addProject(stage.pool, server),
    ];
    const [one, two, three] = [await add(listed), await add(onServer), await add(hidden)];
    await restrict(stage.pool, "Bob", stage.cast.organizationId, { projects: [listed], servers: [other] });
    assert.deepEqual(await idsOf("", stage.cast.bob), [two, one]);
    assert.deepEqual(await idsOf(`?project_id=${hidden}`, stage.cast.bob), []);
    assert.deepEqual(await idsOf(`?server_id=${server}`, stage.cast.bob), [one]);
    assert.deepEqual(await idsOf("?q=hand", stage.cast.bob), [two, one]);
    assert.deepEqual(await idsOf("?q=hand&status=success&from=2020-01-01", stage.cast.bob), [two, one]);
    assert.deepEqual(await idsOf("", stage.cast.charlie), []);
    assert.deepEqual(await idsOf(`?project_id=${listed}`, stage.cast.charlie), []);
    assert.deepEqual((await idsOf("", stage.cast.victor)).slice(0, 3), [three, two, one]);
  });

  it("need a permission to read projects", async () => {
    const { status } = await list("", "no token");
    assert.equal(status, 401);
  });
});

describe("the filters of the list", () => {
  it("select by project, server, status and kind, also by several values", async () => {
    const [a, b, c] = [
      await addProject(stage.pool, server),
      await addProject(stage.pool, server),
      await addProject(stage.pool, await addProvisioned(stage)),
    ];
    const { server_id: further } = (
      await rows<{ server_id: number }>(stage.pool, sql`select server_id from projects where id = ${c}`)
    )[0] as { server_id: number };
    const one = await add(a, { process_type: "recycle" });
    const two = await add(b, { process_type: "move" });
    const three = await add(c);
    const failed = await addFailed(c);
    const among = (query: string) => idsOf(`?project_id=${a},${b},${c}&${query}`);
    assert.deepEqual(await idsOf(`?project_id=${a}&project_id=${b}`), [two, one]);
    assert.deepEqual(await idsOf(`?server_id=${further}`), [failed, three]);
    assert.deepEqual(await among("status=failed"), [failed]);
    assert.deepEqual(await idsOf(`?status=failed,failed&server_id=${further},${further}`), [failed]);
    assert.deepEqual(await idsOf("?status=failed,failed&process_type=deployment"), [failed]);
    assert.deepEqual(await idsOf(`?status=failed&server_id=${further}`), [failed]);
    assert.deepEqual(await among("status=failed,success"), [failed, three, two, one]);
    assert.deepEqual(await among("status[]=failed&status[]=queued"), [failed]);
    assert.deepEqual(await among("process_type=recycle,move"), [two, one]);
    assert.deepEqual(await idsOf(`?process_type=move&server_id=${server}`), [two]);
    assert.deepEqual(await among("status=&q=&process_type="), [failed, three, two, one]);
    assert.deepEqual(await idsOf("?project_id=999999"), []);
  });

  const addFailed = async (project: number): Promise<number> => {
    const { rows: added } = await stage.pool.query<{ id: number }>(
      `insert into deployments (organization_id, project_id, server_id, status, ended_at, git_branch, description, error)
       select organization_id, id, server_id, 2, now(), 'main', 'Requested by hand', 'No.' from projects where id = $1 returning id`,
      [project],
    );
    return (added[0] as { id: number }).id;
  };

  it("select by who or what began it", async () => {
    const project = await addProject(stage.pool, server);
    const { alice, victor } = stage.cast.userIds;
    const push = await add(project, { initiator_type: "push", commit_author: "Jane" });
    const monitor = await add(project, {
      initiator_type: "monitor",
      monitor_id: 7,
      monitor_name: "Shop",
      process_type: "rollback",
    });
    const byAlice = await add(project, { initiated_by: alice });
    const byVictor = await add(project, { initiated_by: victor });
    const gone = await add(project);
    const among = (query: string) => idsOf(`?project_id=${project}&initiator=${query}`);
    assert.deepEqual(await among("push"), [push]);
    assert.deepEqual(await among(`monitor,${alice}`), [byAlice, monitor]);
    assert.deepEqual(await idsOf(`?initiator=${victor},monitor`), [byVictor, monitor]);
    assert.deepEqual((await show(push)).initiator, { type: "push", id: null, name: "Jane" });
    assert.deepEqual((await show(monitor)).initiator, { type: "monitor", id: 7, name: "Shop" });
    assert.deepEqual((await show(byVictor)).initiator, { type: "user", id: victor, name: "Victor" });
    assert.deepEqual((await show(gone)).initiator, { type: "user", id: null, name: null });
  });

  it("select by time, also where ids and times are in different orders", async () => {
    const project = await addProject(stage.pool, server);
    const at = (day: string) => add(project, { created_at: `2021-${day}T12:00:00Z` });
    const [march, january, may] = [await at("03-01"), await at("01-01"), await at("05-01")];
    assert.deepEqual(await idsOf("?from=2021-01-01T12:00:00Z&to=2021-05-01T12:00:00Z"), [january, march]);
    assert.deepEqual(await idsOf("?from=2021-02-01&to=2022-01-01"), [may, march]);
    assert.deepEqual(await idsOf(`?from=2021-02-01&to=2022-01-01&before=${may}`), [march]);
    assert.deepEqual(await idsOf("?to=2021-01-02"), [january]);
    assert.deepEqual(await idsOf("?from=2100-01-01"), []);
    assert.deepEqual(await idsOf("?from=2021-05-01&to=2021-02-01"), []);
    assert.deepEqual(await idsOf(`?from=2021-01-01&to=2021-12-01&project_id=${project}&status=failed`), []);
  });

  it("find text in any case, and characters that mean something to the database as they are", async () => {
    const project = await addProject(stage.pool, server);
    const commit = `beef${"7".repeat(36)}`;
    const one = await add(project, { commit_message: "Show 100% of Prices_too", commit_id: commit });
    const two = await add(project, { commit_author: "Zoë", git_branch: "feature/till" });
    const three = await add(project, { description: "Rollback to \\7" });
    const among = (text: string) => idsOf(`?project_id=${project}&q=${encodeURIComponent(text)}`);
    for (const find of [among, (text: string) => idsOf(`?q=${encodeURIComponent(text)}`)]) {
      assert.deepEqual(await find("PRICES"), [one]);
      assert.deepEqual(await find("0% of"), [one]);
      assert.deepEqual(await find("100_of"), []);
      assert.deepEqual(await find("BEEF7"), [one]);
      assert.deepEqual(await find("ature/T"), [two]);
      assert.deepEqual(await find("zoë"), [two]);
      assert.deepEqual(await find("to \\7"), [three]);
      assert.deepEqual(await find("' or true --"), []);
    }
  });

  const invalid = [
    ...["status=broken", "status=1", "process_type=x", "project_id=x", "project_id=-1", "server_id=1.5"],
    ...[
      "initiator=alice",
      "initiator=0",
      "initiator=push;",
      "from=yesterday",
      "to=2021-13-45",
      "from=2021-99-99T00:00",
    ],
    ...["before=0", "before=x", "per_page=0", "per_page=101", "page=2", "sort=id", `q=${"x".repeat(201)}`],
  ];
  it("state what began a deployment can be", async () => {
    const { body } = await list("?initiator=bob");
    assert.deepEqual(body.errors, { "initiator.0": "The initiator must be the id of a user, push or monitor." });
  });

  for (const query of invalid) {
    it(`refuse ${query.slice(0, 30)}`, async () => {
      const reply = await list(`?${query}`);
      assert.equal(reply.status, 422, reply.text);
      assert.equal(Object.keys(reply.body.errors)[0]?.split(".")[0], query.split("=")[0]);
    });
  }
});

describe("the record of a deployment", () => {
  it("names its project and its server, and the latter only to those who may see it", async () => {
    const project = await addProject(stage.pool, server);
    const elsewhere = await addProvisioned(stage, { name: "web-9" });
    const id = await add(project);
    const former = await add(project);
    await stage.pool.query("update deployments set server_id = $2 where id = $1", [former, elsewhere]);
    await restrict(stage.pool, "Bob", stage.cast.organizationId, { projects: [project] });
    const shown = await show(id, stage.cast.bob);
    assert.deepEqual(
      [shown.project, shown.server],
      [
        { id: project, name: "shop" },
        { id: server, name: "web-1" },
      ],
    );
    assert.deepEqual((await show(former, stage.cast.bob)).server, { id: elsewhere, name: null });
    assert.deepEqual((await show(former)).server, { id: elsewhere, name: "web-9" });
    const ofProject = await call(stage.app, `GET /api/v1/projects/${project}/deployments`, { token: stage.cast.bob });
    assert.deepEqual(
      ofProject.body.data.map((each: { server: object }) => each.server),
      [
        { id: elsewhere, name: null },
        { id: server, name: "web-1" },
      ],
    );
  });

  it("shows whether it is live, and links what it has changed", async () => {
    const project = await addProject(stage.pool, server);
    await stage.pool.query(
      "update projects set repository_type = 'git_host_b', repository = 'https://gitlab.com/acme/shop.git' where id = $1",
      [project],
    );
    const [one, two] = ["1".repeat(40), "2".repeat(40)];
    const first = await deployed(stage, project, server, "succeeded", one);
    const same = await deployed(stage, project, server, "succeeded", one);
    await deployed(stage, project, server, "failed");
    const second = await deployed(stage, project, server, "succeeded", two);
    const records = (await list(`?project_id=${project}`)).body.data as Record<string, unknown>[];
    const page = `https://gitlab.com/acme/shop/-/compare/${one}...${two}`;
    const expected: Record<number, unknown[]> = {
      [first]: [false, null],
      [same]: [false, null],
      [second]: [true, page],
    };
    for (const [id, values] of Object.entries(expected)) {
      const found = records.find((record) => record.id === Number(id));
      assert.deepEqual([found?.is_live, found?.compare_url], values);
    }
    assert.equal((await show(second)).compare_url, page);
  });

  it("states what it waits for while it is queued", async () => {
    const busy = await addProvisioned(stage, { name: "web-2" });
    const [a, b, c, d] = await Promise.all([1, 2, 3, 4].map(() => addProject(stage.pool, busy)));
    const [running] = (await deploy(stage, a as number)) as [number];
    await dispatch(stage, busy);
    await stage.pool.query("update servers set queue_limit = 1 where id = $1", [busy]);
    const [one] = (await deploy(stage, b as number)) as [number];
    const [two] = (await deploy(stage, c as number)) as [number];
    const [behind] = (await deploy(stage, a as number)) as [number];
    const [held] = (await deploy(stage, d as number)) as [number];
    await transaction(stage.pool, (tx) => holdDeployment(tx, { projectId: d as number, deploymentId: held }));
    const waits = async (id: number) => (await show(id)).waiting_for;
    assert.equal(await waits(running), null);
    assert.deepEqual(await waits(one), {
      reason: "server",
      position: 1,
      message: "It is the next on web-2, which runs at most 1 at the same time.",
    });
    assert.deepEqual(await waits(two), {
      reason: "server",
      position: 2,
      message: "1 before it on web-2, which runs at most 1 at the same time.",
    });
    const { reason, message } = await waits(behind);
    assert.deepEqual([reason, message], ["project", `Deployment ${running} of the project ends first.`]);
    assert.equal((await waits(held)).reason, "deploy_key");
    await stage.pool.query("update servers set queue_limit = null where id = $1", [busy]);
    assert.equal((await waits(two)).reason, "turn");
    const move = await addQueued(c as number, "move");
    assert.equal((await waits(move)).reason, "project");
    const afterMove = (await deploy(stage, c as number))[0] as number;
    await call(stage.app, `POST /api/v1/deployments/${two}/cancel`, { token: stage.cast.alice });
    assert.deepEqual(
      (await waits(afterMove)).message,
      `The project is moved to another server first, by deployment ${move}.`,
    );
    const listed = (await list("?status=queued&per_page=100")).body.data as { id: number; waiting_for: unknown }[];
    assert.deepEqual(listed.find(({ id }) => id === held)?.waiting_for, await waits(held));
    await finishRun(stage, running, "succeeded", { commit: "9".repeat(40) });
    assert.equal(await waits(one), null);
  });

  const addQueued = async (project: number, type: string): Promise<number> => {
    const [added] = await rows<{ id: number }>(
      stage.pool,
      sql`
        insert into deployments (organization_id, project_id, server_id, process_type, git_branch, description)
        select organization_id, id, server_id, ${type}, 'main', 'test' from projects where id = ${project} returning id
      `,
    );
    return (added as { id: number }).id;
  };
});

describe("a list of very many deployments", () => {
  const many = 30_000;
  let projectId: number;
  let actor: Actor;

  before(async () => {
    projectId = await addProject(stage.pool, server);
    actor = { organizationId: stage.cast.organizationId, restriction: undefined } as unknown as Actor;
    await insertMany(stage.pool, projectId);
  });

  /** Without the triggers, which count turns. One in 10,000 is rare. */
  const insertMany = (pool: Pool, id: number): Promise<void> =>
    transaction(pool, async (tx) => {
      await tx.query("alter table deployments disable trigger user");
      await tx.query(sql`
        insert into deployments (organization_id, project_id, server_id, git_branch, description, commit_message, status,
          created_at, started_at, ended_at)
        select organization_id, id, server_id, 'main', 'Requested by hand',
          case when n = 100 then 'The Rare Word' when n = 101 then '→ ß' else 'Change number ' || n end,
          case when n % 100 = 0 then 2 else 1 end, at, at, at
        from projects, generate_series(1, ${many}) n, lateral (select timestamptz '2010-01-01' + n * interval '1 minute' as at) at
        where id = ${id}
      `);
      await tx.query("alter table deployments enable trigger user");
    }).then(() => pool.query("vacuum analyze deployments").then(() => {}));

  /** The pages of the database that a list reads. */
  async function pagesRead(filter: DeploymentFilter): Promise<number> {
    let pages = 0;
    const explained = {
      query: async (query: Sql) => {
        const { rows: plans } = await stage.pool.query({
          text: `explain (analyze, buffers, format json) ${query.text}`,
          values: query.values,
        });
        const [{ Plan: plan }] = plans[0]["QUERY PLAN"];
        pages += plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
        return stage.pool.query(query);
      },
    } as unknown as Db;
    await findNewest(explained, actor, filter, 16);
    return pages;
  }

  const filters: [string, () => DeploymentFilter][] = [
    ["no filter", () => ({})],
    ["a page far back", () => ({ before: 5_000 })],
    ["a project", () => ({ projectIds: [projectId] })],
    ["a project without deployments", () => ({ projectIds: [999_999] })],
    ["a server without deployments", () => ({ serverIds: [999_999] })],
    ["a status that none has", () => ({ statuses: [4] })],
    ["statuses", () => ({ statuses: [2, 3] })],
    ["a kind that none has", () => ({ processTypes: ["recycle"], statuses: [4] })],
    [
      "a combination that none has",
      () => ({ statuses: [1, 2], processTypes: ["deployment"], initiatorTypes: ["push"] }),
    ],
    ["a user's kind that none has", () => ({ userIds: [stage.cast.userIds.alice], processTypes: ["recycle"] })],
    ["many servers, and a kind that none has", () => ({ serverIds: [...Array(50).keys()], processTypes: ["recycle"] })],
    ["a user without deployments", () => ({ userIds: [999_999] })],
    ["pushes", () => ({ initiatorTypes: ["push"] })],
    ["the time before the first", () => ({ to: "2009-01-01T00:00:00Z" })],
    ["the time after the last", () => ({ from: "2100-01-01T00:00:00Z" })],
    ["the first half of the time", () => ({ to: "2010-01-11T00:00:00Z" })],
    ["an hour in between", () => ({ from: "2010-01-11T00:00:00Z", to: "2010-01-11T01:00:00Z" })],
    ["a frequent text", () => ({ text: "change" })],
  ];
  for (const [name, filter] of filters) {
    it(`reads little for ${name}`, async () => {
      const pages = await pagesRead(filter());
      assert.ok(pages < 200, `${pages} pages`);
    });
  }

  it("reads few pages for a text that nothing has", async () => {
    // Those of the newest that are searched one after the other.
    const pages = await pagesRead({ text: "no such words" });
    assert.ok(pages < 700, `${pages} pages`);
  });

  it("finds a rare text among all", async () => {
    const found = await list(`?q=${encodeURIComponent("rare word")}`);
    assert.deepEqual([found.body.data.length, found.body.data[0]?.commit_message], [1, "The Rare Word"]);
    assert.equal(found.body.next_before, null);
  });

  it("searches on from page to page for what the index cannot find", async () => {
    const found: string[] = [];
    let before = "";
    let pages = 0;
    for (;;) {
      const { body } = await list(`?q=${encodeURIComponent("→")}${before}`);
      found.push(...body.data.map((each: { commit_message: string }) => each.commit_message));
      pages++;
      if (body.next_before === null) break;
      before = `&before=${body.next_before}`;
    }
    assert.deepEqual(found, ["→ ß"]);
    assert.ok(pages >= many / 5_000 && pages <= many / 5_000 + 2, `${pages} pages`);
  });
});
