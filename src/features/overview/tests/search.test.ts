import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../../db/sql.ts";
import { permissions } from "../../../http/actor.ts";
import { bestOf } from "../search/actions.ts";
import type { FoundRow } from "../search/queries.ts";
import { narrowToken, openStage, type Stage } from "./support.ts";

let stage: Stage;
before(async () => {
  stage = await openStage();
});
after(() => stage.end());

interface SearchResult {
  noun: string;
  id: number;
  name: string;
  context: string | null;
}

const search = async (text: string, token?: string): Promise<SearchResult[]> => {
  const { status, body, text: answer } = await stage.ask(`GET /api/v1/search?q=${encodeURIComponent(text)}`, token);
  assert.equal(status, 200, answer);
  return body.data;
};
const names = async (text: string, token?: string) => (await search(text, token)).map(({ name }) => name);

const project = async (name: string): Promise<number> => {
  const id = await stage.world.project();
  return stage.make(sql`update projects set name = ${name} where id = ${id} returning id`);
};

describe("a search", () => {
  test("finds each noun by a part of its name, in any case, for those who may read it", async () => {
    const { world, cast } = stage;
    const named = async (id: Promise<number>, table: ReturnType<typeof sql>, column = sql`name`) =>
      stage.make(sql`update ${table} set ${column} = 'Zebra ' || id where id = ${await id} returning id`);
    const database = (await world.database()).database;
    const app = world.installedApp("app_cms", 1);
    const made: Record<string, number> = {
      project: await named(world.project(), sql`projects`),
      app: await named(app, sql`projects`),
      server: await named(world.server(), sql`servers`),
      monitor: await named(world.monitor(), sql`monitors`),
      group: await named(world.group(), sql`project_groups`),
      channel: await named(world.channel("email"), sql`notification_channels`),
      status_page: await named(world.statusPage(), sql`status_pages`),
      database: await stage.make(
        sql`update databases set database_name = 'zebra_1' where id = ${database} returning id`,
      ),
      domain: await stage.make(
        sql`update domains set domain_name = 'zebra.example.com' where id = ${await world.domainOf(await world.project(), {})} returning id`,
      ),
      member: await stage.make(sql`update users set name = 'Zebra' where id = ${cast.userIds.bob} returning id`),
    };
    const found = await search("ebR");
    assert.deepEqual(Object.fromEntries(found.map(({ noun, id }) => [noun, id])), made);
    const permissionOf: Record<string, string> = {
      ...{ project: "project:read", app: "project:read", domain: "project:read", group: "project:read" },
      ...{ server: "server:read", database: "server:read", monitor: "monitor:read", status_page: "monitor:read" },
      ...{ member: "organization:read", channel: "organization:read" },
    };
    for (const permission of new Set(Object.values(permissionOf))) {
      const token = await narrowToken(stage, permissions.filter((each) => each !== permission).join(","));
      const nouns = new Set((await search("ebR", token)).map(({ noun }) => noun));
      for (const noun of Object.keys(made)) assert.equal(nouns.has(noun), permissionOf[noun] !== permission, noun);
    }
    assert.deepEqual(await search("ebR", cast.charlie), []);
    const others = await search("ebR", await stage.restricted({}));
    assert.deepEqual(
      others.map(({ noun }) => noun),
      ["member"],
    );
    const colleague = await search("ebR", await stage.restricted({ projects: [made.project as number] }));
    assert.deepEqual(colleague.map(({ noun }) => noun).sort(), ["member", "project"]);
  });

  test("has the same name first, then names that begin with it", async () => {
    for (const name of ["my otter", "otter 2", "Otter", "otters"]) await project(name);
    assert.deepEqual(await names("OTTER"), ["Otter", "otter 2", "otters", "my otter"]);
    assert.deepEqual(await names("  otters "), ["otters"]);
  });

  test("finds texts of one and two characters, of other alphabets, and with signs that have a meaning in patterns", async () => {
    for (const name of ["ж", "Łódź", "50%_off\\", "a'b\"c", "日本語のサイト"]) await project(name);
    assert.deepEqual(await names("ж"), ["ж"]);
    assert.deepEqual(await names("łÓ"), ["Łódź"]);
    assert.deepEqual(await names("%_o"), ["50%_off\\"]);
    assert.deepEqual(await names("\\"), ["50%_off\\"]);
    assert.deepEqual(await names("'b\""), ["a'b\"c"]);
    assert.deepEqual(await names("本語"), ["日本語のサイト"]);
    assert.deepEqual(
      await names("_"),
      (await names("_")).filter((name) => name.includes("_")),
    );
    assert.deepEqual(await names("no such name"), []);
  });

  test("finds servers by their address and members by their email, and nothing without a text", async () => {
    const server = await stage.world.server("by address");
    await stage.make(sql`update servers set public_ip = '203.0.113.99' where id = ${server} returning id`);
    assert.deepEqual(await search("0.113.99"), [
      { noun: "server", id: server, name: "by address", context: "203.0.113.99" },
    ]);
    assert.deepEqual(
      (await search("victor@exam")).map(({ noun, id }) => [noun, id]),
      [["member", stage.cast.userIds.victor]],
    );
    for (const text of ["", "   "]) assert.deepEqual(await search(text), []);
    assert.deepEqual((await stage.ask("GET /api/v1/search")).body.data, []);
    assert.equal((await stage.ask(`GET /api/v1/search?q=${"x".repeat(201)}`)).status, 422);
    assert.ok([200, 422].includes((await stage.ask("GET /api/v1/search?q=%00")).status));
  });

  test("hides the address of a server of which only a project is in reach", async () => {
    const server = await stage.world.server("named only");
    await stage.make(sql`update servers set public_ip = '203.0.113.77' where id = ${server} returning id`);
    const token = await stage.restricted({ projects: [await stage.world.project({ serverId: server })] });
    assert.deepEqual(await search("named only", token), [
      { noun: "server", id: server, name: "named only", context: null },
    ]);
    assert.deepEqual(await search("203.0.113.77", token), []);
  });
});

test("among records that match equally well, each noun has a turn", () => {
  const row = (noun: "project" | "server", id: number, rank: 0 | 1 | 2): FoundRow => ({
    noun,
    id,
    name: "",
    context: null,
    rank,
  });
  const found = [
    row("project", 1, 1),
    row("project", 2, 1),
    row("project", 3, 0),
    row("server", 4, 1),
    row("server", 5, 2),
  ];
  assert.deepEqual(
    bestOf(found, 4).map(({ id }) => id),
    [3, 1, 4, 2],
  );
});
