import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { FastifyInstance, InjectOptions } from "fastify";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import { publish } from "../../../tools/console-build.ts";
import { version } from "../../lib/version.ts";
import { appOn, contextOn } from "./support.ts";

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";
const styleHash = `sha256-${createHash("sha256").update("button {}").digest("base64")}`;
const otherHash = `sha256-${createHash("sha256").update("p {}").digest("base64")}`;
const script = `export const text = ${JSON.stringify("console ".repeat(5_000))};\n`;

let database: TestDatabase;
let root: string;
let app: FastifyInstance;

/** Publishes files as a build would have made them; those of `unhashed` are copies of console/public. */
async function publishBuild(files: Record<string, string>, unhashed: readonly string[] = []): Promise<void> {
  const places = { console: root, dist: join(root, "dist"), made: join(root, "made") };
  await mkdir(places.dist, { recursive: true });
  const put = async (file: string, text: string) => {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  for (const [path, text] of Object.entries(files)) await put(join(places.made, path), text);
  await put(join(places.made, ".vite/manifest.json"), "{}");
  for (const path of unhashed) await put(join(root, "public", path), files[path] ?? "");
  await publish(places, { sources: "1", styleHashes: [styleHash, otherHash] });
}

const pageWith = (script: string) =>
  `<!doctype html><title>Longshore</title><script type="module" src="${script}"></script>`;
const firstBuild = {
  "index.html": pageWith("/assets/index-11111111.js"),
  "assets/index-11111111.js": script,
  "assets/text-22222222.woff2": "not really a font",
  "assets/theme.js": "document.documentElement.dataset.theme = 'dark';",
  "icon.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
};

before(async () => {
  database = await testDatabase();
  root = await mkdtemp(join(tmpdir(), "longshore-console-"));
  app = appOn(contextOn(database.pool, { consoleDirectory: join(root, "dist") }));
});

after(async () => {
  await app.close();
  await database.drop();
  await rm(root, { recursive: true });
});

const ask = (method: NonNullable<InjectOptions["method"]>, url: string, headers: Record<string, string> = {}) =>
  app.inject({ method, url, headers });
const open = (url: string) => ask("GET", url, { accept: browser });

describe("the web console", () => {
  test("is not there before it is built, and the address tells how to build it", async () => {
    const { statusCode, payload } = await open("/");
    assert.equal(statusCode, 200);
    assert.match(payload, /<code>\.\/longshore console build<\/code>/);
    assert.equal((await open("/setup")).statusCode, 404);
    assert.equal((await open("/assets/index-11111111.js")).statusCode, 404);
    await publishBuild(firstBuild, ["assets/theme.js", "icon.svg"]);
    assert.equal((await open("/")).payload, firstBuild["index.html"], "No restart is needed.");
  });

  test("that a former version built is none, until it is built again", async () => {
    const record = join(root, "dist/build.json");
    const written = await readFile(record, "utf8");
    const { styleHashes: _, ...rest } = JSON.parse(written);
    const formers = [JSON.stringify({ ...rest, styleHash }), "{", "null", written.replace(styleHash, "sha256-x")];
    for (const [time, former] of formers.entries()) {
      await writeFile(record, former);
      // Another time than that of the build before, however fast this is.
      await utimes(record, time, time);
      const { statusCode, payload } = await open("/");
      assert.equal(statusCode, 200, former);
      assert.match(payload, /<code>\.\/longshore console build<\/code>/);
      assert.equal((await open("/setup")).statusCode, 404);
      await publishBuild(firstBuild, ["assets/theme.js", "icon.svg"]);
      assert.equal((await open("/")).payload, firstBuild["index.html"]);
    }
  });

  test("is the page of every address that is of nothing else", async () => {
    for (const url of [
      "/",
      "/setup",
      "/sign-in?next=%2Fo%2F1",
      "/o/1/projects/7",
      "/no/such/page",
      "/statuses",
      "/a.php",
      "//",
    ]) {
      const { statusCode, payload, headers } = await open(url);
      assert.deepEqual([statusCode, payload], [200, firstBuild["index.html"]], url);
      assert.equal(headers["content-type"], "text/html; charset=utf-8");
    }
  });

  test("leaves the addresses of programs and visitors alone", async () => {
    const unknown = [
      "/api",
      "/api/v1/nothing",
      "/mcp",
      "/docs/x",
      "/status",
      "/ping/",
      "/oauth/x",
      "/metrics",
      "/.well-known/x",
    ];
    for (const url of [...unknown, "/assets/", "/assets/nothing-33333333.js"]) {
      const { statusCode, headers } = await open(url);
      assert.deepEqual([statusCode, headers["content-type"]], [404, "application/json; charset=utf-8"], url);
    }
    assert.equal((await open("/api/v1/me")).statusCode, 401);
    assert.match((await open("/docs")).payload, /API/);
  });

  test("is for browsers that read: programs and other methods get JSON", async () => {
    for (const accept of ["*/*", "application/json", "image/avif,*/*;q=0.8", "application/json, text/html;q=0.5"]) {
      const { statusCode, headers } = await ask("GET", "/o/1", { accept });
      assert.deepEqual([statusCode, headers["content-type"]], [404, "application/json; charset=utf-8"], accept);
    }
    assert.equal((await ask("GET", "/", { accept: "*/*" })).json().docs, "/docs");
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"] as const) {
      assert.equal((await ask(method, "/o/1", { accept: browser })).statusCode, 404, method);
    }
    assert.equal((await ask("POST", "/", { accept: browser })).statusCode, 405);
  });

  test("has a page that browsers ask for again, with everything forbidden that it does not need", async () => {
    const { headers } = await open("/o/1");
    assert.equal(
      headers["content-security-policy"],
      `default-src 'none'; script-src 'self'; style-src 'self' '${styleHash}' '${otherHash}'; img-src 'self' data:; font-src 'self'; ` +
        "connect-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'; trusted-types longshore",
    );
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(headers["referrer-policy"], "same-origin");
    assert.match(String(headers["permissions-policy"]), /camera=\(\).*microphone=\(\)/);
    assert.equal(headers["cross-origin-opener-policy"], "same-origin");
    assert.equal(headers["cache-control"], "no-cache");
    assert.equal(headers.vary, "Accept, Accept-Encoding");
    const again = await ask("GET", "/setup", { accept: browser, "if-none-match": String(headers.etag) });
    assert.deepEqual([again.statusCode, again.payload], [304, ""]);
    const compressed = await ask("GET", "/setup", { accept: browser, "accept-encoding": "gzip" });
    assert.equal(gunzipSync(compressed.rawPayload).toString(), firstBuild["index.html"]);
  });

  test("answers HEAD with the headers of GET", async () => {
    for (const url of ["/o/1", "/assets/index-11111111.js"]) {
      const head = await ask("HEAD", url, { accept: browser });
      const get = await ask("GET", url, { accept: browser });
      assert.deepEqual([head.statusCode, head.payload], [200, ""], url);
      for (const name of ["content-length", "content-type", "etag", "cache-control", "content-security-policy"]) {
        assert.equal(head.headers[name], get.headers[name], `${url} ${name}`);
      }
      assert.equal(Number(get.headers["content-length"]), get.rawPayload.length);
    }
  });
});

describe("the files of the console", () => {
  const url = "/assets/index-11111111.js";

  test("are sent as the client can read them", async () => {
    const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
    for (const [accepted, encoding] of [
      ["gzip, deflate, br, zstd", "br"],
      ["gzip, deflate", "gzip"],
      ["br;q=0, gzip", "gzip"],
      ["identity", undefined],
      [undefined, undefined],
    ] as const) {
      const answer = await ask("GET", url, accepted === undefined ? {} : { "accept-encoding": accepted });
      assert.equal(answer.headers["content-encoding"], encoding, accepted);
      assert.equal(answer.headers.vary, "Accept-Encoding");
      assert.equal(answer.headers["content-type"], "text/javascript; charset=utf-8");
      assert.equal(Number(answer.headers["content-length"]), answer.rawPayload.length);
      const body = encoding === undefined ? answer.rawPayload : decoders[encoding](answer.rawPayload);
      assert.equal(body.toString(), script);
      if (encoding) assert.ok(answer.rawPayload.length < script.length / 10);
    }
  });

  test("stay in the browser for ever if their name has a digest, and are asked for again if not", async () => {
    const cacheControl = async (path: string) => (await ask("GET", path)).headers["cache-control"];
    assert.equal(await cacheControl(url), "public, max-age=31536000, immutable");
    assert.equal(await cacheControl("/assets/text-22222222.woff2"), "public, max-age=31536000, immutable");
    for (const path of ["/assets/theme.js", "/icon.svg"]) {
      assert.equal(await cacheControl(path), "no-cache", path);
      const { etag } = (await ask("GET", path)).headers;
      const again = await ask("GET", path, { "if-none-match": `"other", ${etag}` });
      assert.deepEqual([again.statusCode, again.payload, again.headers.etag], [304, "", etag]);
    }
  });

  test("have the policy of the page, which holds in workers", async () => {
    const { headers } = await ask("GET", url);
    assert.equal(headers["content-security-policy"], (await open("/")).headers["content-security-policy"]);
    assert.equal(headers["x-content-type-options"], "nosniff");
  });

  test("have the types that browsers insist on", async () => {
    const typeOf = async (path: string) => (await ask("GET", path)).headers["content-type"];
    assert.equal(await typeOf("/assets/text-22222222.woff2"), "font/woff2");
    assert.equal(await typeOf("/icon.svg"), "image/svg+xml");
  });

  test("are those of the build and nothing else on the disk", async () => {
    await writeFile(join(root, "secret.key"), "secret");
    await writeFile(join(root, "dist/.env"), "secret");
    await writeFile(join(root, "dist/assets/left.js"), "secret");
    const others = [
      "/build.json",
      "/.env",
      "/assets/left.js",
      "/assets/index-11111111.js.br",
      "/assets/..%2f..%2fsecret.key",
    ];
    const climbing = [
      "/../secret.key",
      "/assets/../../secret.key",
      "/assets/%2e%2e/%2e%2e/secret.key",
      "/..%5csecret.key",
    ];
    for (const path of [
      ...others,
      ...climbing,
      "/constructor",
      "/assets/__proto__",
      "/%00",
      "/assets/index-11111111.js%00",
    ]) {
      const answer = await ask("GET", path);
      assert.equal(answer.statusCode, 404, path);
      assert.doesNotMatch(answer.payload, /secret"?$/, path);
    }
  });

  test("of the build before stay for open pages, and those before it go", async () => {
    await publishBuild({ "index.html": pageWith("/assets/index-44444444.js"), "assets/index-44444444.js": "2;" });
    const statusOf = async (path: string) => (await ask("GET", path)).statusCode;
    assert.match((await open("/")).payload, /index-44444444/);
    assert.deepEqual([await statusOf("/assets/index-44444444.js"), await statusOf(url)], [200, 200]);
    assert.equal(await statusOf("/icon.svg"), 404, "It has no digest in its name: the page would get another one's.");
    await publishBuild({ "index.html": pageWith("/assets/index-55555555.js"), "assets/index-55555555.js": "3;" });
    assert.deepEqual(
      [await statusOf("/assets/index-55555555.js"), await statusOf("/assets/index-44444444.js")],
      [200, 200],
    );
    assert.equal(await statusOf(url), 404);
  });
});

test("answers of the API name the version, so that an open page notices another one", async () => {
  for (const path of ["/api/v1/version", "/api/v1/me", "/api/v1/nothing"]) {
    assert.equal((await ask("GET", path)).headers["x-longshore-version"], version, path);
  }
  assert.equal((await open("/")).headers["x-longshore-version"], undefined);
});
