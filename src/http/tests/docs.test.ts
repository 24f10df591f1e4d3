import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import { routesOf } from "../../features.ts";
import { encodingFor } from "../documents.ts";
import { referencePage } from "../reference/page.ts";
import { routeTable } from "../table.ts";
import { appOn, call, contextOn } from "./support.ts";

let database: TestDatabase;
let app: FastifyInstance;
let page: string;
let policy: string;

/** All of the API, as `routeTable` makes it. */
const document = routeTable(routesOf()).document();
const whole = referencePage(document);

const all = (pattern: RegExp, text = whole): string[] => [...text.matchAll(pattern)].map(([, found = ""]) => found);

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

describe("the reference of the API", () => {
  test("shows each operation and each shape of the document once", () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const shapes = Object.keys(document.components.schemas).map((name) => `shape-${name}`);
    const ids = all(/ id="([^"]+)"/g);
    assert.equal(new Set(ids).size, ids.length, "an id is used twice");
    const missing = [...operations.map(({ operationId }) => operationId), ...shapes].filter((id) => !ids.includes(id));
    assert.deepEqual(missing, []);
  });

  test("has what each of its links leads to", () => {
    const ids = new Set(all(/ id="([^"]+)"/g));
    assert.deepEqual(
      all(/ href="#([^"]+)"/g).filter((id) => !ids.has(id)),
      [],
    );
  });

  test("takes nothing from elsewhere", () => {
    assert.deepEqual(all(/ (?:src|href)="([^#"][^"]*)"/g), ["/api/v1/openapi.json"]);
    assert.doesNotMatch(whole, /@import|url\(/);
  });

  test("has no markup from texts of the document", () => {
    const [operation] = Object.values(document.paths["/api/v1/health"] ?? {});
    assert.ok(operation);
    const hostile = referencePage({
      ...document,
      paths: {
        "/x": { get: { ...operation, summary: "<script>1</script>", description: '`<img src="x">` <b>bold</b>' } },
      },
    });
    assert.doesNotMatch(hostile, /<script>1|<img|<b>bold/);
  });

  test("leads readers of screens: landmarks, headings in order, labels, captions, heads of columns and rows", () => {
    assert.match(whole, /<html lang="en">/);
    for (const tag of ["nav", "main", "h1", "title"])
      assert.equal(all(new RegExp(`<(${tag})[ >]`, "g")).length, 1, tag);
    const [, body = ""] = /<main[^>]*>(.*)<\/main>/s.exec(whole) ?? [];
    const levels = all(/<h(\d)/g, body).map(Number);
    const skipped = levels.filter((level, at) => level > (levels[at - 1] ?? 0) + 1);
    assert.deepEqual(skipped, []);
    assert.equal(
      all(/<input[^>]* id="([^"]+)"/g).every((id) => whole.includes(`<label for="${id}">`)),
      true,
    );
    const tables = all(/<table>(.*?)<\/table>/gs);
    assert.ok(tables.every((table) => /^<caption>[^<]+<\/caption>/.test(table)));
    assert.ok(
      tables.every((table) => all(/<tr>(.*?)<\/tr>/gs, table).every((row) => /^<th scope="(col|row)">/.test(row))),
    );
  });

  test("has readable contrast, in light and in dark", () => {
    const [style = ""] = all(/<style>(.*?)<\/style>/gs);
    const [light, dark] = all(/:root \{(.*?)\}/gs, style).map(
      (block) => new Map([...block.matchAll(/--(\w+): (#\w+)/g)].map(([, name = "", color = ""]) => [name, color])),
    );
    for (const colors of [light, dark]) {
      for (const text of ["text", "soft", "link", "get", "change", "delete"]) {
        for (const back of ["back", "side", "code"]) {
          const ratio = contrast(colors?.get(text) ?? "", colors?.get(back) ?? "");
          assert.ok(ratio >= 4.5, `${text} on ${back}: ${ratio.toFixed(2)}`);
        }
      }
    }
  });

  test("may run its own script and style alone", () => {
    const hashes = [...page.matchAll(/<(?:script|style)>(.*?)<\/(?:script|style)>/gs)].map(([, text = ""]) => text);
    assert.equal(hashes.length, 2);
    for (const text of hashes) assert.ok(policy.includes(createHash("sha256").update(text).digest("base64")));
    assert.match(policy, /^default-src 'none';/);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/);
  });

  test("is sent compressed, as the client accepts it", async () => {
    const get = async (accepted?: string) => {
      const answer = await app.inject({
        url: "/docs",
        headers: accepted === undefined ? {} : { "accept-encoding": accepted },
      });
      return { encoding: answer.headers["content-encoding"], body: answer.rawPayload, vary: answer.headers.vary };
    };
    const [br, gzip, plain] = [await get("gzip, deflate, br, zstd"), await get("gzip"), await get()];
    assert.deepEqual([br.encoding, gzip.encoding, plain.encoding], ["br", "gzip", undefined]);
    assert.deepEqual(brotliDecompressSync(br.body), plain.body);
    assert.deepEqual(gunzipSync(gzip.body), plain.body);
    for (const { vary } of [br, gzip, plain]) assert.equal(vary, "Accept-Encoding");
  });

  test("is not sent again to a browser that has it", async () => {
    const { headers } = await call(app, "GET /docs");
    const tag = String(headers.etag);
    for (const known of [tag, `"other", ${tag}`, tag.replace("W/", ""), "*"]) {
      const again = await call(app, "GET /docs", { headers: { "if-none-match": known } });
      assert.deepEqual([again.status, again.text], [304, ""], known);
    }
    assert.equal((await call(app, "GET /docs", { headers: { "if-none-match": '"other"' } })).status, 200);
    assert.equal(headers["cache-control"], "public, no-cache");
    const head = await call(app, "HEAD /docs");
    assert.deepEqual([head.status, head.text, head.headers.etag], [200, "", tag]);
  });

  test("stays small", () => {
    assert.ok(whole.length < 2_000_000, `${whole.length} characters`);
  });
});

test("the encoding is the best that the client accepts", () => {
  const expected: [string, string][] = [
    ["", "identity"],
    ["*", "br"],
    ["gzip;q=0.5, br;q=0.1", "gzip"],
    ["br;q=0, *", "gzip"],
    ["BR", "br"],
    ["gzip;q=0", "identity"],
    ["identity;q=1, gzip;q=0.5", "identity"],
    ["deflate, compress", "identity"],
    ["identity;q=0", "identity"],
    ["gzip; q=nonsense", "identity"],
  ];
  for (const [accepted, encoding] of expected) assert.equal(encodingFor(accepted), encoding, accepted);
});

/** Of WCAG 2.2, 1.4.3. */
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
