import assert from "node:assert/strict";
import { parse } from "node:querystring";
import { test } from "node:test";
import { Type } from "typebox";
import { orderOf } from "../../db/filters.ts";
import { sql } from "../../db/sql.ts";
import { Ids, Some, Sort, sliced, Text } from "../lists.ts";
import { parserOf } from "../validation.ts";

const parser = parserOf(
  Type.Object({
    q: Text("name"),
    status: Some(["failed", "running", "queued"], "Its state"),
    ids: Ids("Only these"),
    sort: Sort(["name", "created_at"], "name"),
  }),
);
const read = (query: string) => parser.parseText(parse(query));

test("a filter takes several values: between commas, sent repeatedly, or with brackets", () => {
  for (const query of [
    "status=failed,running",
    "status=failed&status=running",
    "status[]=failed&status[]=running",
    "status=failed&status%5B%5D=running",
    "status=,failed,,running,",
  ])
    assert.deepEqual(read(query), { value: { status: ["failed", "running"] } }, query);
  assert.deepEqual(read("ids=4,5&ids=6").value, { ids: [4, 5, 6] });
  assert.deepEqual(read("status=&q=&ids=,&sort="), { value: {} });
  assert.deepEqual(read("q=,").value, { q: "," });
});

test("a value that a filter does not have is refused", () => {
  for (const query of [
    "status=failed,lost",
    "ids=4,x",
    "ids=0",
    `ids=${Array.from({ length: 101 }, (_, at) => at + 1).join()}`,
    "sort=size",
    "sort=--name",
    `q=${"x".repeat(201)}`,
    "q[]=text",
    "q=one&q=two",
    "__proto__[]=x",
    "__proto__=x&__proto__=y",
  ])
    assert.notDeepEqual(read(query).errors ?? {}, {}, query);
});

test("an order is by a column and by id, in one direction", () => {
  const columns = { name: sql`p.name`, created_at: sql`p.created_at` };
  assert.equal(orderOf(columns, "name", sql`p.id`).text, "p.name asc nulls last, p.id asc");
  assert.equal(orderOf(columns, "-created_at", sql`p.id`).text, "p.created_at desc nulls last, p.id desc");
  const optional = { optional: ["created_at"] } as const;
  assert.equal(orderOf(columns, "-name", sql`p.id`, optional).text, "p.name desc, p.id desc");
  assert.equal(orderOf(columns, "-created_at", sql`p.id`, optional).text, "p.created_at desc nulls last, p.id desc");
});

test("a page that follows a key says where the next one begins", () => {
  const rows = [9, 7, 4].map((id) => ({ id }));
  assert.deepEqual(sliced(rows, 2), { data: rows.slice(0, 2), next_before: 7 });
  assert.deepEqual(sliced(rows, 3), { data: rows, next_before: null });
  assert.deepEqual(sliced([], 3), { data: [], next_before: null });
});
