import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { row, sql } from "../../../db/sql.ts";
import { call, restrict } from "../../../http/tests/support.ts";
import { addMonitor, addProject, addProvisioned, openStage, type Stage } from "./support.ts";

let stage: Stage;
let [servers, projects]: [number[], number[]] = [[], []];
let ids: Record<"shop" | "domain" | "job" | "blog", number>;

// A shop with three monitors on one server, and a blog with one on the other, which Bob reaches.
before(async () => {
  stage = await openStage();
  const { pool, cast } = stage;
  servers = [await addProvisioned(stage, { name: "one" }), await addProvisioned(stage, { name: "other" })];
  projects = [await addProject(pool, servers[0] as number), await addProject(pool, servers[1] as number)];
  await pool.query("update projects set name = 'Blumen' where id = $1", [projects[0]]);
  await pool.query("update projects set name = 'Blog' where id = $1", [projects[1]]);
  const [shop, blog] = projects as [number, number];
  ids = {
    shop: await addMonitor(stage, shop, { name: "Front page", url: "https://shop.example.com/up" }),
    domain: await addMonitor(stage, shop, { name: "Domain" }),
    job: await addMonitor(stage, shop, { name: "Nightly" }),
    blog: await addMonitor(stage, blog, { name: "front of the blog", url: "https://blog.example.com/" }),
  };
  const domain = await row<{ id: number }>(
    pool,
    sql`insert into domains (project_id, domain_name, is_primary) values (${shop}, 'garten.example.com', false) returning id`,
  );
  const job = await row<{ id: number }>(
    pool,
    sql`
      insert into project_jobs (project_id, kind, name, command, cron_expression)
      values (${shop}, 'scheduled', 'Clean up', 'true', '@daily') returning id
    `,
  );
  await pool.query("update monitors set target = 'domain', domain_id = $2 where id = $1", [ids.domain, domain?.id]);
  await pool.query(
    `update monitors set type = 'heartbeat', target = 'scheduled', job_id = $2, url = null, method = null,
       interval_seconds = null, timeout_seconds = null, ping_token = $3, ping_digest = $4 where id = $1`,
    [ids.job, job?.id, stage.ctx.secrets.encrypt("t"), Buffer.alloc(32, 1)],
  );
  await pool.query("update monitors set current_status = 'down', last_status_changed_at = now() where id = $1", [
    ids.blog,
  ]);
  await restrict(pool, "Bob", cast.organizationId, { servers: [servers[1] as number], projects: [] });
});
after(() => stage?.close());

async function names(query: string, token = stage.cast.alice): Promise<string[]> {
  const { body, status, text } = await call(stage.app, `GET /api/v1/monitors?${query}`, { token });
  assert.equal(status, 200, text);
  assert.equal(body.total_items, body.data.length);
  return body.data.map(({ id }: { id: number }) => Object.entries(ids).find(([, each]) => each === id)?.[0]);
}

describe("the list of monitors", () => {
  it("is narrowed down by projects and servers", async () => {
    assert.deepEqual(await names(`project_id=${projects[0]}`), ["shop", "domain", "job"]);
    assert.deepEqual(await names(`project_id=${projects}`), ["blog", "shop", "domain", "job"]);
    assert.deepEqual(await names(`server_id=${servers[1]}`), ["blog"]);
    assert.deepEqual(await names(`server_id=${servers[1]}&project_id=${projects[0]}`), []);
    assert.deepEqual(await names(`server_id=${servers[0]}&type=heartbeat`), ["job"]);
  });

  it("is searched by name, address, and what is watched", async () => {
    assert.deepEqual(await names("q=FRONT"), ["blog", "shop"]);
    assert.deepEqual(await names("q=shop.example.com/up"), ["shop"]);
    assert.deepEqual(await names("q=garten"), ["domain"]);
    assert.deepEqual(await names("q=clean up"), ["job"]);
    assert.deepEqual(await names("q=blumen"), ["shop", "domain", "job"]);
    assert.deepEqual(await names("q=front&status=down"), ["blog"]);
    for (const text of ["%25", "f_ont"]) assert.deepEqual(await names(`q=${text}`), [], text);
  });

  it("shows a restricted member only what is in reach, whatever is asked for", async () => {
    const { bob } = stage.cast;
    assert.deepEqual(await names("q=front", bob), ["blog"]);
    assert.deepEqual(await names(`project_id=${projects[0]}`, bob), []);
    assert.deepEqual(await names(`server_id=${servers[0]}`, bob), []);
  });

  it("refuses what it does not know", async () => {
    for (const query of ["project_id=x", "server_id=-1", "domain_id=1", "status=broken"]) {
      const { status } = await call(stage.app, `GET /api/v1/monitors?${query}`, { token: stage.cast.alice });
      assert.equal(status, 422, query);
    }
  });
});

describe("the events of a monitor", () => {
  const page = async (query = "", token = stage.cast.alice) =>
    call(stage.app, `GET /api/v1/monitors/${ids.blog}/events?${query}`, { token });

  before(async () => {
    await stage.pool.query(
      `insert into monitor_events (monitor_id, status, message, context, created_at)
       select $1, 'up', 'Event ' || n, jsonb_build_object('second_opinion', jsonb_build_object('server_id', $2::bigint)),
         now() + n * interval '1 second' from generate_series(1, 120) n`,
      [ids.blog, servers[0]],
    );
    await stage.pool.query("insert into monitor_events (monitor_id, status, message) values ($1, 'up', 'Other')", [
      ids.shop,
    ]);
  });

  it("are read page by page, each once, while new ones are written", async () => {
    const seen: string[] = [];
    let before: number | null = null;
    do {
      const { body } = await page(before === null ? "" : `before=${before}`);
      seen.push(...body.data.map(({ message }: { message: string }) => message));
      before = body.next_before;
      await stage.pool.query("insert into monitor_events (monitor_id, status, message) values ($1, 'up', 'New')", [
        ids.blog,
      ]);
    } while (before !== null);
    assert.deepEqual(
      seen,
      Array.from({ length: 120 }, (_, at) => `Event ${120 - at}`),
    );
    assert.equal((await page("per_page=7")).body.data.length, 7);
  });

  it("are as the monitor has them, without the opinion of a server out of reach", async () => {
    const { body: monitor } = await call(stage.app, `GET /api/v1/monitors/${ids.blog}`, { token: stage.cast.alice });
    assert.deepEqual((await page()).body.data, monitor.data.events);
    assert.equal(monitor.data.events.length, 50);
    const { body } = await page("per_page=100", stage.cast.bob);
    assert.equal(JSON.stringify(body).includes("second_opinion"), false);
  });

  it("exist only within reach, and for a valid page", async () => {
    assert.equal((await page("", stage.cast.charlie)).status, 404);
    const token = stage.cast.bob;
    assert.equal((await call(stage.app, `GET /api/v1/monitors/${ids.shop}/events`, { token })).status, 404);
    for (const query of ["before=0", "before=x", "per_page=0", "per_page=101", "page=2"]) {
      assert.equal((await page(query)).status, 422, query);
    }
  });
});
