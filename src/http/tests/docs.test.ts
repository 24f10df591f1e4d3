import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import { route } from "../route.ts";
import { appOn, call, contextOn } from "./support.ts";

let database: TestDatabase;
let app: FastifyInstance;
let page: string;
let policy: string;

before(async () => {
  database = await testDatabase();
  const hostile = route({
    method: "PUT",
    path: "/api/v1/things/:id",
    summary: "Change <script>alert(1)</script>",
    description: 'A `<b>` of "things" & more.',
    permission: "project:update",
    params: Type.Object({ id: Type.Integer({ minimum: 1 }) }),
    body: Type.Object({ color: Type.String({ maxLength: 20, description: "Any `color`" }) }),
    reply: Type.Object({ inner: Type.Object({ depth: Type.Integer() }) }),
    handle: () => ({ inner: { depth: 1 } }),
  });
  app = appOn(contextOn(database.pool), [hostile]);
  const answer = await call(app, "GET /docs");
  assert.equal(answer.status, 200);
  page = answer.text;
  policy = String(answer.headers["content-security-policy"]);
});

after(async () => {
  await app.close();
  await database.drop();
});

test("shows every operation with its permission, fields and refusals", () => {
  assert.match(page, /id="putThingsId"/);
  assert.match(page, /project:update/);
  assert.match(page, /<code class="name">color<\/code> <span class="type">string, up to 20 characters<\/span>/);
  assert.match(page, /<code class="name">depth<\/code>/);
  assert.match(page, /<span class="status bad">404<\/span>/);
  assert.match(page, /curl -X PUT &quot;\$LONGSHORE\/api\/v1\/things\/1&quot;/);
});

test("escapes the text of descriptions", () => {
  assert.ok(!page.includes("<script>alert"));
  assert.match(page, /Change &lt;script&gt;alert\(1\)&lt;\/script&gt;/);
  assert.match(page, /A <code>&lt;b&gt;<\/code> of &quot;things&quot; &amp; more\./);
});

test("links to every operation from the table of contents", () => {
  const anchors = [...page.matchAll(/<a href="#(\w+)" data-text/g)].map(([, id]) => id);
  const articles = [...page.matchAll(/<article id="(\w+)" tabindex/g)].map(([, id]) => id);
  assert.ok(anchors.length > 3);
  assert.deepEqual(anchors, articles);
});

test("needs nothing from anywhere else, and its policy allows its own script and style alone", () => {
  assert.doesNotMatch(page, /<(link|img|iframe|script src)/);
  for (const element of ["style", "script"]) {
    const [, text = ""] = new RegExp(`<${element}>([^]*?)</${element}>`).exec(page) ?? [];
    const digest = createHash("sha256").update(text).digest("base64");
    assert.ok(text.length > 100 && policy.includes(`${element}-src 'sha256-${digest}'`), element);
  }
  assert.match(policy, /default-src 'none'/);
});
