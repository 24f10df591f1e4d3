import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import { row, sql } from "../sql.ts";
import { release, textArray } from "../text-array.ts";

let database: TestDatabase;

before(async () => {
  database = await testDatabase();
});

after(() => database.drop());

const sent = async (texts: (Buffer | string)[]): Promise<string[] | undefined> => {
  const array = textArray(texts);
  return (await row<{ texts: string[] }>(database.pool, sql`select ${array}::text[] as texts`))?.texts;
};

it("carries texts as they are, whatever is in them", async () => {
  const texts = [
    "",
    "one",
    'a "quoted", {braced} and back\\slashed\ntext',
    "NULL",
    "\u00fcml\u00e4ut \u65e5\u672c \u{1f6a2}",
    "x".repeat(100_000),
  ];
  assert.deepEqual(await sent(texts), texts);
  assert.deepEqual(await sent(texts.map((text) => Buffer.from(text))), texts);
});

it("carries no texts as an empty array", async () => {
  assert.deepEqual(await sent([]), []);
});

it("is gone once it is released, and nothing else with it", () => {
  const [first, second] = [textArray([Buffer.from("one")]), textArray([Buffer.from("two")])];
  release(first);
  assert.equal(first.length, 0);
  assert.ok(second.toString().endsWith("two"));
});
