import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Db } from "../../../../db/sql.ts";
import { transaction } from "../../../../db/transaction.ts";
import { pageOf } from "../../../../http/pagination.ts";
import { call, type Reply, restrict } from "../../../../http/tests/support.ts";
import type { Actor } from "../../../accounts/reach.ts";
import { createProject, insertServer, openStage, type Stage, update } from "../../tests/support.ts";
import { listGroups } from "../queries.ts";

let stage: Stage;

before(async () => {
  stage = await openStage();
});

after(() => stage?.close());

const ask = (line: string, options: { token?: string; body?: unknown } = {}): Promise<Reply> =>
  call(stage.app, line, { token: stage.cast.alice, ...options });

async function createGroup(name: string, fields: object = {}): Promise<number> {
  const { status, body, text } = await ask("POST /api/v1/project-groups", { body: { name, ...fields } });
  assert.equal(status, 201, text);
  return body.data.id;
}

describe("creating a group", () => {
  test("answers 201 with what it is", async () => {
    const body = { name: "Shop", description: "All of the shop" };
    const reply = await ask("POST /api/v1/project-groups", { body });
    assert.equal(reply.status, 201);
    assert.deepEqual(reply.body, {
      status: "success",
      message: "The project group Shop was created.",
      data: { id: reply.body.data.id, ...body, updated_at: reply.body.data.updated_at },
    });
  });

  test("takes a name of 100 characters and a description of 2000, and no more", async () => {
    const longest = { name: "é".repeat(100), description: "😀".repeat(2000) };
    const created = await ask("POST /api/v1/project-groups", { body: longest });
    assert.equal(created.status, 201);
    assert.equal(created.body.data.description, longest.description);
    const body = { name: "n".repeat(101), description: "d".repeat(2001) };
    const refused = await ask("POST /api/v1/project-groups", { body });
    assert.equal(refused.status, 422);
    assert.deepEqual(Object.keys(refused.body.errors), ["name", "description"]);
  });

  test("needs a name that is not blank", async () => {
    for (const body of [{}, { name: "" }, { name: "  \n" }, { name: null }, { name: 7 }]) {
      const reply = await ask("POST /api/v1/project-groups", { body });
      assert.equal(reply.status, 422);
      assert.deepEqual(Object.keys(reply.body.errors), ["name"]);
    }
  });

  test("needs project:update", async () => {
    const reply = await ask("POST /api/v1/project-groups", { token: stage.cast.victor, body: { name: "Mine" } });
    assert.equal(reply.status, 403);
  });
});

describe("reading groups", () => {
  test("lists them by name, 25 on a page, with the number of their projects", async () => {
    const other = await openStage();
    try {
      const { app, cast } = other;
      for (let number = 30; number > 0; number--) {
        const body = { name: `${number % 2 ? "Group" : "group"} ${String(number).padStart(2, "0")}` };
        await call(app, "POST /api/v1/project-groups", { token: cast.alice, body });
      }
      const { body } = await call(app, "GET /api/v1/project-groups", { token: cast.alice });
      assert.deepEqual([body.current_page, body.per_page, body.total_pages, body.total_items], [1, 25, 2, 30]);
      assert.equal(body.data.length, 25);
      const numbers = body.data.map(({ name }: { name: string }) => Number(name.slice(-2)));
      assert.deepEqual(
        numbers,
        [...numbers].sort((a, b) => a - b),
        "capitals do not count",
      );
      const last = await call(app, "GET /api/v1/project-groups?page=2&per_page=25", { token: cast.alice });
      assert.equal(last.body.data.length, 5);
      const ofCharlie = await call(app, "GET /api/v1/project-groups", { token: cast.charlie });
      assert.equal(ofCharlie.body.total_items, 0);
    } finally {
      await other.close();
    }
  });

  test("orders them as people do, whatever the letters, and reads them in the order of an index", async () => {
    const other = await openStage();
    try {
      const { app, cast, pool } = other;
      const names = ["apple", "Äpfel", "Zoo", "zebra", "Émile", "emil", "Apple"];
      for (const name of names) await call(app, "POST /api/v1/project-groups", { token: cast.alice, body: { name } });
      const { body } = await call(app, "GET /api/v1/project-groups", { token: cast.alice });
      assert.deepEqual(
        body.data.map(({ name }: { name: string }) => name),
        ["Äpfel", "apple", "Apple", "emil", "Émile", "zebra", "Zoo"],
      );
      const plans = await transaction(pool, async (tx) => {
        await tx.query("set local enable_seqscan = off");
        const explain = ({ text, values }: { text: string; values: unknown[] }) => tx.query(`explain ${text}`, values);
        const actor = { organizationId: cast.organizationId } as Actor;
        return listGroups({ query: explain } as unknown as Db, actor, pageOf({}, 25));
      });
      const plan = JSON.stringify(plans);
      assert.match(plan, /using project_groups_of_organization/);
      assert.doesNotMatch(plan, /Sort/);
    } finally {
      await other.close();
    }
  });

  test("shows a group with its projects", async () => {
    const group = await createGroup("Read me");
    const id = await createProject(stage, { name: "Live", environment: "production", project_group_id: group });
    const { body } = await ask(`GET /api/v1/project-groups/${group}`);
    const projects = [{ id, name: "Live", environment: "production", server_id: stage.serverId }];
    const { updated_at, ...shown } = body.data;
    assert.deepEqual(shown, { id: group, name: "Read me", description: null, projects });
    assert.match(updated_at, /\.\d{6}Z$/);
    const list = await ask("GET /api/v1/project-groups?per_page=100");
    assert.equal(list.body.data.find((each: { id: number }) => each.id === group).projects_count, 1);
  });

  test("shows no group of another organization", async () => {
    const group = await createGroup("Ours");
    for (const line of ["GET", "PUT", "DELETE"]) {
      const body = line === "PUT" ? { name: "Theirs" } : undefined;
      const reply = await ask(`${line} /api/v1/project-groups/${group}`, { token: stage.cast.charlie, body });
      assert.equal(reply.status, 404);
    }
    assert.equal((await ask(`GET /api/v1/project-groups/${group}`)).body.data.name, "Ours");
  });

  test("holds no project of another organization, by the database's own rule", async () => {
    const body = { name: "Theirs" };
    const theirs = await ask("POST /api/v1/project-groups", { token: stage.cast.charlie, body });
    const id = await createProject(stage);
    const grouping = stage.pool.query("update projects set project_group_id = $1 where id = $2", [
      theirs.body.data.id,
      id,
    ]);
    await assert.rejects(grouping, { code: "23503" });
  });
});

describe("changing a group", () => {
  test("keeps what is omitted, and answers with the updated group", async () => {
    const group = await createGroup("Old", { description: "Stays" });
    const { status, body } = await ask(`PUT /api/v1/project-groups/${group}`, { body: { name: "New" } });
    assert.equal(status, 200);
    const updated = { id: group, name: "New", description: "Stays", updated_at: body.data.updated_at };
    assert.deepEqual(body, { status: "success", message: body.message, ...updated, data: updated });
    await ask(`PUT /api/v1/project-groups/${group}`, { body: { description: null } });
    assert.equal((await ask(`GET /api/v1/project-groups/${group}`)).body.data.description, null);
  });

  test("has the same limits as creating one", async () => {
    const group = await createGroup("Limits");
    const body = { name: "n".repeat(101), description: "d".repeat(2001) };
    const reply = await ask(`PUT /api/v1/project-groups/${group}`, { body });
    assert.deepEqual([reply.status, Object.keys(reply.body.errors)], [422, ["name", "description"]]);
  });
});

describe("deleting a group", () => {
  test("ungroups its projects, leaves them otherwise as they are, and reports how many", async () => {
    const group = await createGroup("Short-lived");
    const ids = [
      await createProject(stage, { project_group_id: group, environment: "staging" }),
      await createProject(stage, { project_group_id: group }),
    ];
    const { status, body } = await ask(`DELETE /api/v1/project-groups/${group}`);
    assert.equal(status, 200);
    assert.equal(body.ungrouped_projects, 2);
    assert.match(body.message, /2 projects were ungrouped/);
    const project = (await ask(`GET /api/v1/projects/${ids[0]}`)).body;
    assert.deepEqual([project.project_group_id, project.environment], [null, "staging"]);
    assert.equal((await ask(`GET /api/v1/project-groups/${group}`)).status, 404);
    assert.equal((await ask(`DELETE /api/v1/project-groups/${group}`)).status, 404);
  });
});

describe("a membership that is restricted", () => {
  let ours: number;
  let theirs: number;
  let mixed: number;
  let hidden: number;
  let bob: string;

  before(async () => {
    const { pool, cast } = stage;
    bob = cast.bob;
    const elsewhere = { ...stage, serverId: await insertServer(pool, cast.organizationId) };
    [mixed, hidden] = [await createGroup("Mixed"), await createGroup("Hidden")];
    ours = await createProject(stage, { project_group_id: mixed });
    theirs = await createProject(elsewhere, { project_group_id: mixed });
    await createProject(elsewhere, { project_group_id: hidden });
    await restrict(pool, "Bob", cast.organizationId, { servers: [stage.serverId] });
  });

  after(() => stage.pool.query("update memberships set restricted = false"));

  test("sees and counts only the projects in reach", async () => {
    const { body } = await ask(`GET /api/v1/project-groups/${mixed}`, { token: bob });
    assert.deepEqual(
      body.data.projects.map((project: { id: number }) => project.id),
      [ours],
    );
    const list = (await ask("GET /api/v1/project-groups?per_page=100", { token: bob })).body;
    const groups: { id: number; projects_count: number }[] = list.data;
    assert.equal(groups.find((group) => group.id === mixed)?.projects_count, 1);
    assert.equal(list.total_items, groups.length);
  });

  test("does not know a group whose projects are all out of reach", async () => {
    const list = await ask("GET /api/v1/project-groups?per_page=100", { token: bob });
    assert.ok(!list.body.data.some((group: { id: number }) => group.id === hidden));
    for (const [line, body] of [["GET"], ["PUT", { name: "Mine" }], ["DELETE"]] as const) {
      assert.equal((await ask(`${line} /api/v1/project-groups/${hidden}`, { token: bob, body })).status, 404);
    }
  });

  test("cannot put a project into such a group, exactly as into one that never was", async () => {
    const [out, never] = [
      await update(stage, ours, { project_group_id: hidden }, bob),
      await update(stage, ours, { project_group_id: 987_654 }, bob),
    ];
    assert.equal(out.status, 422);
    assert.deepEqual(out.body, never.body);
    assert.deepEqual(out.body.errors, { project_group_id: "The project group does not exist." });
  });

  test("makes groups of its own", async () => {
    const created = await ask("POST /api/v1/project-groups", { token: bob, body: { name: "Bob's" } });
    const read = await ask(`GET /api/v1/project-groups/${created.body.data.id}`, { token: bob });
    assert.equal(read.status, 200);
  });

  test("deletes a group for itself, and leaves it to the projects that it cannot see", async () => {
    const { body } = await ask(`DELETE /api/v1/project-groups/${mixed}`, { token: bob });
    assert.equal(body.ungrouped_projects, 1);
    assert.equal((await ask(`GET /api/v1/project-groups/${mixed}`, { token: bob })).status, 404);
    const forAlice = await ask(`GET /api/v1/project-groups/${mixed}`);
    assert.deepEqual(
      forAlice.body.data.projects.map((project: { id: number }) => project.id),
      [theirs],
    );
  });
});
