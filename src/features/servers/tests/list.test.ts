import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { row, sql } from "../../../db/sql.ts";
import { call, restrict } from "../../../http/tests/support.ts";
import { addProject, addProvisioned, addServer, newAddress, openStage, type Stage } from "./support.ts";

let stage: Stage;
let ids: Record<"alpha" | "bravo" | "charlie" | "delta", number>;

// Bob reaches alpha, and one project on bravo.
before(async () => {
  stage = await openStage();
  const { pool, cast } = stage;
  ids = {
    charlie: await addProvisioned(stage, { name: "Charlie shop", public_ip: "192.0.2.33" }),
    alpha: await addProvisioned(stage, { name: "alpha", server_type: 1 }),
    bravo: await addProvisioned(stage, { name: "Bravo SHOP", public_ip: "192.0.2.44", server_type: 2 }),
    delta: await addServer(stage, { name: "delta" }),
  };
  await pool.query("update servers set connection_status = 0 where id = $1", [ids.charlie]);
  await pool.query("update servers set provider_type = 'cloud_a' where id = any($1)", [[ids.alpha, ids.bravo]]);
  await reading(ids.alpha, "1 hour", { load: 0.5, memory: 0.9, disk: 0.2 });
  await reading(ids.bravo, "2 hours", { load: 3, memory: 0.1, disk: 0.99 });
  await reading(ids.charlie, "3 hours", { load: 1, memory: 0.5, disk: 0.5 });
  const project = await addProject(pool, ids.bravo);
  await restrict(pool, "Bob", cast.organizationId, { servers: [ids.alpha], projects: [project] });
});
after(() => stage?.close());

async function reading(id: number, age: string, used: { load: number; memory: number; disk: number }) {
  const room = (share: number) => ({ total_bytes: 1_000, available_bytes: 1_000 - 1_000 * share });
  const load = { one_minute: used.load * 4, five_minutes: 0, fifteen_minutes: 0, cores: 4 };
  const usage = { load, memory: room(used.memory), disk: room(used.disk) };
  await stage.pool.query(
    `insert into server_readings (server_id, seen_at, usage, measured_at)
     values ($1, now() - $2::interval, $3, now() - $2::interval)`,
    [id, age, usage],
  );
}

async function names(query: string, token = stage.cast.alice): Promise<string[]> {
  const { body, status, text } = await call(stage.app, `GET /api/v1/servers?${query}`, { token });
  assert.equal(status, 200, text);
  const found = body.data.map(({ id }: { id: number }) => Object.entries(ids).find(([, each]) => each === id)?.[0]);
  assert.equal(body.total_items, found.length);
  return found;
}

describe("the filters of the list of servers", () => {
  it("find a text in the name and the addresses, in any case, as it is", async () => {
    assert.deepEqual(await names("q=shop"), ["charlie", "bravo"]);
    assert.deepEqual(await names("q=192.0.2.3"), ["charlie"]);
    assert.deepEqual(await names("q="), ["charlie", "alpha", "bravo", "delta"]);
    for (const text of ["%25", "_", "sh.p", "\\"]) assert.deepEqual(await names(`q=${text}`), [], text);
  });

  it("choose types, states and providers, also several, and all of them at once", async () => {
    assert.deepEqual(await names("server_type=1,2"), ["alpha", "bravo"]);
    assert.deepEqual(await names("server_type[]=0&server_type[]=2"), ["charlie", "bravo", "delta"]);
    assert.deepEqual(await names("state=ready"), ["alpha", "bravo"]);
    assert.deepEqual(await names("state=unreachable&state=installing"), ["charlie", "delta"]);
    assert.deepEqual(await names("provider_type=custom"), ["charlie", "delta"]);
    assert.deepEqual(await names("provider_type=custom,cloud_a&state=ready&server_type=2&q=BRAVO"), ["bravo"]);
  });

  it("with an unknown value are refused", async () => {
    for (const query of [
      "server_type=5",
      "server_type=x",
      "state=lost",
      "provider_type=cloud_z",
      "sort=size",
      "name=a",
    ]) {
      const { status } = await call(stage.app, `GET /api/v1/servers?${query}`, { token: stage.cast.alice });
      assert.equal(status, 422, query);
    }
  });

  it("tell a restricted member nothing of a server that is shown by its name", async () => {
    const { bob } = stage.cast;
    assert.deepEqual(await names("", bob), ["alpha", "bravo"]);
    assert.deepEqual(await names("q=shop", bob), ["bravo"]);
    assert.deepEqual(await names("q=192.0.2", bob), []);
    for (const filter of ["server_type=2", "state=ready,unreachable", "provider_type=cloud_a"]) {
      assert.equal((await names(filter, bob)).includes("bravo"), false, filter);
    }
    for (const sort of ["load", "-load", "memory", "-memory", "disk", "-disk", "last_seen_at", "-last_seen_at"]) {
      assert.deepEqual(await names(`sort=${sort}`, bob), ["alpha", "bravo"], sort);
    }
  });
});

describe("the order of the list of servers", () => {
  const orders: Record<string, string[]> = {
    id: ["charlie", "alpha", "bravo", "delta"],
    "-id": ["delta", "bravo", "alpha", "charlie"],
    name: ["alpha", "bravo", "charlie", "delta"],
    "-name": ["delta", "charlie", "bravo", "alpha"],
    created_at: ["charlie", "alpha", "bravo", "delta"],
    last_seen_at: ["charlie", "bravo", "alpha", "delta"],
    "-last_seen_at": ["alpha", "bravo", "charlie", "delta"],
    "-load": ["bravo", "charlie", "alpha", "delta"],
    memory: ["bravo", "charlie", "alpha", "delta"],
    "-disk": ["bravo", "charlie", "alpha", "delta"],
  };
  for (const [sort, expected] of Object.entries(orders)) {
    it(`by ${sort} is kept over pages`, async () => {
      assert.deepEqual(await names(`sort=${sort}`), expected);
      const pages = [1, 2, 3, 4].map(async (page) => {
        const token = stage.cast.alice;
        const { body } = await call(stage.app, `GET /api/v1/servers?sort=${sort}&per_page=1&page=${page}`, { token });
        return body.data[0].id;
      });
      assert.deepEqual(
        await Promise.all(pages),
        expected.map((name) => ids[name as keyof typeof ids]),
      );
    });
  }
});

describe("the record of a server", () => {
  const read = async (id: number) => {
    const { body } = await call(stage.app, `GET /api/v1/servers/${id}`, { token: stage.cast.alice });
    return body.data;
  };

  it("has its state, its usage and whether it takes projects, in lists as well", async () => {
    const server = await read(ids.alpha);
    assert.equal(server.state, "ready");
    assert.deepEqual(server.usage.memory, { total_bytes: 1_000, available_bytes: 100 });
    assert.equal(server.usage.measured_at, server.last_seen_at);
    assert.deepEqual([server.accepts_projects, server.reason], [false, "The server must be an App server."]);
    assert.deepEqual([(await read(ids.charlie)).accepts_projects, (await read(ids.charlie)).reason], [true, null]);
    const { body } = await call(stage.app, "GET /api/v1/servers?q=alpha", { token: stage.cast.alice });
    assert.deepEqual(body.data, [server]);
  });

  it("refuses projects with the sentence with which their creation is refused", async () => {
    const { reason } = await read(ids.delta);
    const { body } = await call(stage.app, "POST /api/v1/projects", {
      token: stage.cast.alice,
      body: {
        name: "shop",
        server_id: ids.delta,
        domain: "shop.example.com",
        framework_id: 10,
        git_repository: { repo: "https://git.example.com/shop.git", type: "git", branch: "main" },
      },
    });
    assert.deepEqual(body.errors, { server_id: reason });
  });

  it("was never seen before it was connected to", async () => {
    const server = await read(ids.delta);
    assert.deepEqual([server.state, server.last_seen_at, server.usage], ["installing", null, null]);
    assert.deepEqual(server.setup, { state: "not_recorded", attention_count: 0 });
  });

  it("counts the steps of the newest setup that need attention, as the setup record lists them", async () => {
    const id = await addProvisioned(stage, { public_ip: newAddress() });
    const addSetup = async (statuses: string[], more: string) => {
      const run = await row<{ id: number }>(
        stage.pool,
        sql`
          insert into runs (server_id, kind, subject, subject_id, plan, nonce, state, ended_at)
          select ${id}, 'provision', 'server', ${id}, '{}', 'n', ${more}, case when ${more} <> 'running' then now() end
          returning id
        `,
      );
      await stage.pool.query(
        `insert into run_steps (run_id, position, key, label, phase, status)
         select $1, n, 'key-' || n, 'A step', 'check', s from unnest($2::text[]) with ordinality as each (s, n)`,
        [run?.id, statuses],
      );
    };
    const summary = async () => {
      const { setup } = await read(id);
      const { body } = await call(stage.app, `GET /api/v1/servers/${id}/setup-steps`, { token: stage.cast.alice });
      assert.deepEqual(setup, { state: body.data.state, attention_count: body.data.attention.length });
      return setup;
    };
    await addSetup(["completed", "failed", "unreported", "failed"], "succeeded");
    assert.deepEqual(await summary(), { state: "completed_with_failures", attention_count: 3 });
    await addSetup(["completed", "unreported"], "succeeded");
    assert.deepEqual(await summary(), { state: "completed_with_gaps", attention_count: 1 });
    await addSetup(["completed", "pending"], "stalled");
    assert.deepEqual(await summary(), { state: "failed", attention_count: 0 });
    await addSetup(["completed"], "stalled");
    assert.deepEqual(await summary(), { state: "stalled", attention_count: 0 });
    await addSetup(["completed", "running"], "running");
    assert.deepEqual(await summary(), { state: "running", attention_count: 0 });
    await addSetup(["completed"], "succeeded");
    assert.deepEqual(await summary(), { state: "completed", attention_count: 0 });
  });
});
