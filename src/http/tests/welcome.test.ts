import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { FastifyInstance } from "fastify";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import { appOn, call, contextOn } from "./support.ts";

let database: TestDatabase;
let app: FastifyInstance;

before(async () => {
  database = await testDatabase();
  app = appOn(contextOn(database.pool));
});

after(async () => {
  await app.close();
  await database.drop();
});

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";
const get = (path: string, accept?: string) =>
  call(app, `GET ${path}`, accept === undefined ? {} : { headers: { accept } });

describe("the address of the service itself", () => {
  test("leads browsers to places that are there", async () => {
    const { status, text, headers } = await get("/", browser);
    assert.equal(status, 200);
    assert.match(String(headers["content-type"]), /^text\/html/);
    const links = [...text.matchAll(/ href="([^"]+)"/g)].map(([, href = ""]) => href);
    assert.ok(links.includes("/docs"));
    for (const href of links) assert.equal((await get(href)).status, 200, href);
    assert.doesNotMatch(text, /<script|<img|<link|url\(/);
    assert.match(String(headers["content-security-policy"]), /^default-src 'none'; style-src 'sha256-/);
  });

  test("answers programs in JSON", async () => {
    for (const accept of [undefined, "*/*", "application/json", "application/json, text/html;q=0.5", "text/html;q=0"]) {
      const { status, body, headers } = await get("/", accept);
      assert.equal(status, 200);
      assert.match(String(headers["content-type"]), /^application\/json/, accept);
      assert.equal(body.status, "success");
      assert.equal(body.docs, "/docs");
      assert.equal(headers.vary, "Accept");
    }
  });

  test("has no other methods, and unknown pages stay JSON for browsers too", async () => {
    const refused = await call(app, "POST /", { headers: { accept: browser } });
    assert.deepEqual([refused.status, refused.headers.allow], [405, "GET, HEAD"]);
    for (const path of ["/index.html", "/console", "/docs/js/scalar.js", "//"]) {
      const { status, body } = await get(path, browser);
      assert.deepEqual([status, body.status], [404, "error"], path);
    }
  });
});
