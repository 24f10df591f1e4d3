import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { request } from "node:http";
import { after, before, describe, test } from "node:test";
import type { FastifyInstance } from "fastify";
import { call } from "../../../http/tests/support.ts";
import { Cache } from "../cache.ts";
import { addMonitor, addProject, addProvisioned, observe, openStage, type Stage, servePages } from "./support.ts";

const hostile = `<script>alert("x")</script> & 'y' \u0007`;

let stage: Stage;
let app: FastifyInstance;
let url: string;
let good: number;
let bad: number;

before(async () => {
  stage = await openStage();
  ({ app, url } = await servePages(stage));
  const projectId = await addProject(stage.pool, await addProvisioned(stage));
  good = await addMonitor(stage, projectId, { name: "Web shop" });
  bad = await addMonitor(stage, projectId, { name: hostile.replace("\u0007", "") });
  await observe(stage, good, "up", [["up", 24 * 30, null]]);
  await observe(stage, bad, "down", [
    ["up", 24 * 20, 48],
    ["down", 48, 24],
    ["unobserved", 24, 12],
    ["up", 12, 6],
    ["down", 6, null],
  ]);
  const body = {
    name: "Shop & more",
    description: hostile.replace("\u0007", ""),
    domain: "status.example.com",
    monitors: [{ id: good }, { id: bad }],
  };
  await create("shop", body);
});

after(async () => {
  await app?.close();
  await stage?.close();
});

const ask = (line: string, body?: object) => call(app, line, { token: stage.cast.alice, ...(body && { body }) });

async function create(slug: string, body: object = {}): Promise<number> {
  const reply = await ask("POST /api/v1/status-pages", { name: "Page", slug, ...body });
  assert.equal(reply.status, 201, reply.text);
  return reply.body.data.id;
}

/** The response to a request for another host than the connected one. */
const visit = (host: string, path: string, method = "GET"): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const asked = request(`${url}${path}`, { method, headers: { host } }, (answer) => {
      let body = "";
      answer.setEncoding("utf8").on("data", (text) => {
        body += text;
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body }));
    });
    asked.on("error", reject).end();
  });

describe("the page", () => {
  test("is served without a token, with every text escaped and nothing that runs", async () => {
    const answer = await fetch(`${url}/status/shop`);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("content-type"), "text/html; charset=utf-8");
    const page = await answer.text();
    assert.match(page, /<h1 dir="auto">Shop &amp; more<\/h1>/);
    assert.match(page, /&lt;script&gt;alert\(&quot;x&quot;\)&lt;\/script&gt; &amp; &#39;y&#39;/);
    assert.doesNotMatch(page, /<script|onload=|javascript:| style=/);
    const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? "";
    const hash = createHash("sha256").update(style).digest("base64");
    assert.equal(
      answer.headers.get("content-security-policy"),
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
  });

  test("shows the overall state, and each monitor over 90 days", async () => {
    const page = await (await fetch(`${url}/status/shop`)).text();
    assert.match(page, /<p class="overall part" role="status">Some systems have problems<\/p>/);
    const cards = page.split('<li class="card">').slice(1);
    assert.equal(cards.length, 2);
    const days = (card = "") => [card.match(/M\d+ 0h/g)?.length, card.match(/<rect /g)?.length ?? 0];
    assert.deepEqual(days(cards[0]), [90, 0]);
    assert.equal(
      days(cards[1]).reduce<number>((sum, count) => sum + (count ?? 0), 0),
      90,
    );
    assert.match(cards[0] ?? "", /Working.*the last 90 days: 100 % up, outages on 0 days/s);
    // 18 days and 6 hours up, a day and 6 hours down; a day without a look counts for nothing.
    assert.match(cards[1] ?? "", /Down.*: 93\.58\d % up/s);
  });

  test("says that all is in maintenance", async () => {
    const projectId = await addProject(stage.pool, await addProvisioned(stage));
    const id = await addMonitor(stage, projectId, { name: "Upgraded" });
    await observe(stage, id, "up", [
      ["up", 24, 1],
      ["unobserved", 1, null],
    ]);
    await create("upgraded", { monitors: [{ id }] });
    const page = await (await fetch(`${url}/status/upgraded`)).text();
    assert.match(page, /<p class="overall maintenance" role="status">Under maintenance<\/p>/);
    assert.match(await (await fetch(`${url}/status/upgraded/badge.svg`)).text(), /aria-label="status: maintenance"/);
  });

  test("is compressed, and not sent again to those who have it", async () => {
    const first = await fetch(`${url}/status/shop`, { headers: { "accept-encoding": "gzip" } });
    assert.equal(first.headers.get("content-encoding"), "gzip");
    assert.match(await first.text(), /Shop &amp; more/);
    const tag = first.headers.get("etag") ?? "";
    assert.equal((await fetch(`${url}/status/shop`, { headers: { "if-none-match": tag } })).status, 304);
  });

  test("is not there when it is unknown, not public or has a strange name", async () => {
    await create("hidden", { is_public: false, domain: "hidden.example.com" });
    for (const slug of ["nothing", "hidden", "%00", "a".repeat(100), "..%2f..", "SHOP"]) {
      assert.equal((await fetch(`${url}/status/${slug}`)).status, 404, slug);
    }
    assert.equal((await visit("hidden.example.com", "/")).status, 404);
  });
});

describe("at a domain of its own", () => {
  test("the page, its feed and its badge are served, and everything else is as ever", async () => {
    assert.match((await visit("status.example.com", "/")).body, /Shop &amp; more/);
    assert.match((await visit("STATUS.example.com:8443", "/?x=1")).body, /Shop &amp; more/);
    assert.match((await visit("status.example.com", "/feed.xml")).body, /<rss /);
    assert.match((await visit("status.example.com", "/badge.svg")).body, /<svg /);
    assert.equal((await visit("status.example.com", "/api/v1/health")).status, 200);
    assert.equal((await visit("status.example.com", "/", "POST")).status, 405);
    assert.doesNotMatch((await visit("other.example.com", "/")).body, /Shop/);
  });
});

describe("feed and badge", () => {
  test("hold what people wrote about incidents, escaped", async () => {
    const id = await create("busy", { domain: "busy.example.com" });
    const opened = await ask(`POST /api/v1/status-pages/${id}/incidents`, {
      title: hostile,
      text: `${hostile}\nSecond line`,
    });
    assert.equal(opened.status, 201, opened.text);
    const page = await (await fetch(`${url}/status/busy`)).text();
    assert.match(page, /Open incidents.*Investigating.*Second line/s);
    assert.doesNotMatch(page, /<script/);
    const feed = await (await fetch(`${url}/status/busy/feed.xml`)).text();
    assert.match(feed, /<title>Investigating: &lt;script&gt;/);
    assert.match(feed, /<link>https:\/\/busy\.example\.com\/<\/link>/);
    assert.doesNotMatch(feed, /<script/);
    const badge = await fetch(`${url}/status/busy/badge.svg`);
    assert.equal(badge.headers.get("content-type"), "image/svg+xml; charset=utf-8");
    assert.match(await badge.text(), /aria-label="status: problems"/);
  });
});

describe("the cache", () => {
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  const patient = { freshMs: 0, recentMs: 0, staleMs: 60_000, waitMs: 60_000, size: 10 };

  test("asks once for all who come at the same time, and again when what it has is old", async () => {
    let reads = 0;
    const cache = new Cache(async () => ++reads, { ...patient, recentMs: 60_000 });
    assert.deepEqual(await Promise.all([cache.get("a"), cache.get("a"), cache.get("a")]), [1, 1, 1]);
    assert.equal(await cache.get("a"), 1, "a recent value is given while a new one is read");
    await settle();
    assert.equal(reads, 2);
  });

  test("gives the first who comes after a quiet time what is true now", async () => {
    let reads = 0;
    const cache = new Cache(async () => ++reads, patient);
    await cache.get("a");
    assert.deepEqual(await Promise.all([cache.get("a"), cache.get("a")]), [2, 2]);
  });

  test("gives what it has when nothing can be read, until it is too old", async () => {
    let fails = false;
    const read = async () => {
      if (fails) throw new Error("no database");
      return "page";
    };
    const lasting = new Cache(read, patient);
    const strict = new Cache(read, { ...patient, staleMs: 0 });
    await Promise.all([lasting.get("a"), strict.get("a")]);
    fails = true;
    assert.equal(await lasting.get("a"), "page");
    await assert.rejects(async () => strict.get("a"), /no database/);
  });

  test("gives what it has when reading takes too long", async () => {
    let isRead = false;
    const read = () => (isRead ? new Promise<string>(() => {}) : Promise.resolve("page"));
    const cache = new Cache(read, { ...patient, waitMs: 1 });
    await cache.get("a");
    isRead = true;
    assert.equal(await cache.get("a"), "page");
  });

  test("holds no more than its size, whatever visitors ask for", async () => {
    let reads = 0;
    const cache = new Cache(async (key) => `${key} ${++reads}`, { ...patient, freshMs: 60_000, size: 2 });
    for (const key of ["a", "b", "c"]) await cache.get(key);
    assert.equal(await cache.get("c"), "c 3");
    assert.equal(await cache.get("a"), "a 4");
  });
});
