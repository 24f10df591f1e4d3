import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import fc from "fast-check";
import type { FastifyInstance } from "fastify";
import { type TestDatabase, testDatabase } from "../../../../test/database.ts";
import type { Context } from "../../../context.ts";
import { changed, sql } from "../../../db/sql.ts";
import { appFor, appOn, type Cast, call, contextOn, createCast } from "../../../http/tests/support.ts";
import { merge } from "../merge.ts";
import { preferenceRoutes } from "../routes.ts";
import type { Json } from "../schema.ts";

let database: TestDatabase;
let ctx: Context;
let cast: Cast;
let app: FastifyInstance;

before(async () => {
  database = await testDatabase();
  ctx = contextOn(database.pool);
  cast = await createCast(database.pool);
  app = appOn(ctx, preferenceRoutes);
});

after(async () => {
  await app?.close();
  await database?.drop();
});

beforeEach(() => changed(database.pool, sql`delete from user_preferences`));

const patch = (preferences: unknown, token = cast.alice, on = app) =>
  call(on, "PATCH /api/v1/me/preferences", { token, body: { preferences } });

const read = async (token = cast.alice) =>
  (await call(app, "GET /api/v1/me/preferences", { token })).body.preferences as unknown;

describe("preferences", () => {
  test("are empty at first, and each account has its own", async () => {
    assert.deepEqual(await read(), {});
    await patch({ console: { theme: "dark" } });
    assert.deepEqual(await read(), { console: { theme: "dark" } });
    assert.deepEqual(await read(cast.bob), {});
  });

  test("are merged to any depth: what is not sent stays, lists are replaced", async () => {
    await patch({
      console: { sidebar: { group_by: "environment", collapsed_groups: ["a", "b"] }, pinned_servers: [1] },
    });
    const answer = await patch({ console: { sidebar: { collapsed_groups: ["c"] } }, mobile: { push: { on: true } } });
    const expected = {
      console: { sidebar: { group_by: "environment", collapsed_groups: ["c"] }, pinned_servers: [1] },
      mobile: { push: { on: true } },
    };
    assert.deepEqual(answer.body, { status: "success", preferences: expected });
    assert.deepEqual(await read(), expected);
  });

  test("set to null are deleted, a whole namespace too", async () => {
    await patch({ console: { a: 1, b: { c: 1, d: 2 } }, mobile: { e: 1 } });
    await patch({ console: { a: null, b: { c: null }, unknown: null }, mobile: null });
    assert.deepEqual(await read(), { console: { b: { d: 2 } } });
  });

  test("outside of console and mobile are refused, and nothing is stored", async () => {
    for (const bad of [
      { desktop: {} },
      { console: { a: 1 }, other: { b: 1 } },
      { constructor: {} },
      { desktop: null },
    ]) {
      const answer = await patch(bad);
      assert.equal(answer.status, 422, JSON.stringify(bad));
      assert.match(Object.keys(answer.body.errors)[0] ?? "", /^preferences\./);
    }
    assert.deepEqual(await read(), {});
  });

  test("that are no objects are refused", async () => {
    for (const bad of [undefined, null, [], "text", 5, { console: [] }, { console: "dark" }, { mobile: 1 }]) {
      assert.equal((await patch(bad)).status, 422, JSON.stringify(bad));
    }
  });

  test("may take 16 KB in all and not a byte more, however small the patch", async () => {
    const room = 16 * 1024 - JSON.stringify({ console: { text: "" } }).length;
    assert.equal((await patch({ console: { text: "x".repeat(room + 1) } })).status, 422);
    assert.equal((await patch({ console: { text: "x".repeat(room) } })).status, 200);
    assert.equal((await patch({ console: { more: 1 } })).status, 422);
    assert.equal((await patch({ console: { text: "€".repeat(room / 2) } })).status, 422, "bytes, not characters");
    assert.equal((await patch({ console: { text: null } })).status, 200);
  });

  test("cannot reach the prototype of anything", async () => {
    const raw = (text: string) => call(app, "PATCH /api/v1/me/preferences", { token: cast.alice, body: text });
    for (const patched of [
      '{"__proto__":{"polluted":1}}',
      '{"constructor":{"prototype":1}}',
      '{"console":{"__proto__":{"polluted":1}}}',
      '{"console":{"constructor":{"prototype":{"polluted":1}}}}',
    ]) {
      assert.equal((await raw(`{"preferences":${patched}}`)).status, 400, patched);
      assert.equal(({} as { polluted?: number }).polluted, undefined);
    }
    assert.equal((await patch({ constructor: { a: 1 } })).status, 422, "an unknown namespace like any other");
    assert.deepEqual((await patch({ console: { toString: "x" } })).body.preferences, { console: { toString: "x" } });
    assert.equal((await patch({ console: { ok: true } })).status, 200);
    assert.equal(Object.hasOwn((await read()) as object, "__proto__"), false);
  });

  test("patched 50 times at once, by two processes, all end up valid and complete", async (t) => {
    const other = appFor(t, ctx, preferenceRoutes);
    const numbers = Array.from({ length: 50 }, (_, number) => number);
    const answers = await Promise.all(
      numbers.map((number) =>
        patch(
          { console: { [`own_${number}`]: number, nested: { [`own_${number}`]: [number] }, last: number } },
          cast.alice,
          number % 2 === 0 ? app : other,
        ),
      ),
    );
    assert.ok(answers.every(({ status }) => status === 200));
    const { console: stored } = (await read()) as { console: Record<string, unknown> };
    for (const number of numbers) {
      assert.equal(stored[`own_${number}`], number);
      assert.deepEqual((stored.nested as Record<string, unknown>)[`own_${number}`], [number]);
    }
    assert.ok(numbers.includes(stored.last as number));
  });

  test("of a user without the role for anything else can be written", async () => {
    assert.equal((await patch({ mobile: { a: 1 } }, cast.victor)).status, 200);
    assert.equal((await call(app, "GET /api/v1/me/preferences")).status, 401);
  });
});

describe("merging", () => {
  const json = fc.jsonValue() as fc.Arbitrary<Json>;

  test("with the same patch again changes nothing", () => {
    fc.assert(
      fc.property(json, json, (state, change) => {
        const once = merge(state, change);
        assert.deepEqual(merge(once, change), once);
      }),
    );
  });

  test("leaves no null that the patch sent in an object", () => {
    const hasNull = (value: Json): boolean =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.values(value).some((each) => each === null || hasNull(each))
        : false;
    fc.assert(fc.property(json, (change) => assert.ok(!hasNull(merge({}, { key: change } as Json)))));
  });
});
