import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import type { FastifyInstance } from "fastify";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import { appOn, call, contextOn } from "./support.ts";

let database: TestDatabase;
let app: FastifyInstance;
let page: string;
let policy: string;

before(async () => {
  database = await testDatabase();
  app = appOn(contextOn(database.pool), []);
  const answer = await call(app, "GET /docs");
  assert.equal(answer.status, 200);
  page = answer.text;
  policy = String(answer.headers["content-security-policy"]);
});

after(async () => {
  await app.close();
  await database.drop();
});

test("shows the document of this service", () => {
  assert.match(page, /"url": "\/api\/v1\/openapi\.json"/);
});

test("takes everything from this service", async () => {
  const sources = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, source]) => source);
  assert.deepEqual(sources, ["/docs/js/scalar.js"]);
  const script = await call(app, "GET /docs/js/scalar.js");
  assert.equal(script.status, 200);
  assert.match(String(script.headers["content-type"]), /^text\/javascript/);
  assert.match(script.text, /createApiReference/);
});

test("has a policy that allows its own scripts, and requests to this service alone", () => {
  const scripts = [...page.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, text = ""]) => text);
  const inline = scripts.filter((text) => text !== "");
  assert.equal(inline.length, 1);
  for (const text of inline) assert.ok(policy.includes(createHash("sha256").update(text).digest("base64")));
  const directives = new Map(policy.split("; ").map((each) => [each.split(" ")[0], each.split(" ").slice(1)]));
  assert.deepEqual(directives.get("default-src"), ["'none'"]);
  assert.deepEqual(directives.get("connect-src"), ["'self'"]);
  assert.ok(!directives.get("script-src")?.includes("'unsafe-inline'"));
});
