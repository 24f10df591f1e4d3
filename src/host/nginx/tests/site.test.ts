import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { lchownSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { connect, createServer as createSocketServer, type Socket, type Server as SocketServer } from "node:net";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { freePort } from "../../../../stage/free-port.ts";
import { projectLayout } from "../../layout.ts";
import type { Site } from "../model.ts";
import { siteNames } from "../names.ts";
import { nginxSite } from "../site.ts";
import { releaseCheckPath } from "../well-known.ts";
import { listenOn, Nginx, selfSigned } from "./nginx.ts";

const foreignSite = (port: number): string => `server {
    listen 80;
    server_name foreign.test;
    location / { return 200 foreign; }
    location /headers { proxy_pass http://localhost:${port}; }
}`;

/** The output of a socket, up to and including a mark, at each call. */
function lines(socket: Socket): (mark: string) => Promise<string> {
  let text = "";
  let wake = (): void => {};
  socket.setEncoding("utf8").on("data", (data) => {
    text += data;
    wake();
  });
  return async (mark) => {
    while (!text.includes(mark)) await new Promise<void>((resolve) => (wake = resolve));
    const end = text.indexOf(mark) + mark.length;
    const said = text.slice(0, end);
    text = text.slice(end);
    return said;
  };
}

/** Takes the place of PHP: closes the connection on its first request, which is in `received` up to the end of its parameters. */
async function startFastcgi(socket: string): Promise<{ server: SocketServer; received: Promise<string> }> {
  mkdirSync(dirname(socket), { recursive: true });
  const { promise: received, resolve } = Promise.withResolvers<string>();
  // An empty record of parameters ends them.
  const end = Buffer.from([1, 4, 0, 1, 0, 0, 0, 0]);
  const server = createSocketServer((connection) => {
    let collected = Buffer.alloc(0);
    connection.on("data", (piece) => {
      collected = Buffer.concat([collected, piece]);
      if (!collected.includes(end)) return;
      resolve(collected.toString("latin1"));
      connection.destroy();
    });
  });
  await new Promise<void>((listening) => server.listen(socket, listening));
  return { server, received };
}

/** The value that PHP uses for a parameter: the last one with its name. Both are short, so each length is one byte. */
function lastOf(received: string, name: string): string | undefined {
  const at = received.lastIndexOf(name);
  const length = received.charCodeAt(at - 1);
  return at < 2 ? undefined : received.slice(at + name.length, at + name.length + length);
}

describe("the site that nginx serves", () => {
  const nginx = new Nginx();
  const layout = (id: number) => {
    const made = projectLayout(id, nginx.directory);
    for (const path of [made.logs, made.state, made.releases, made.acmeChallenges])
      mkdirSync(path, { recursive: true });
    return made;
  };
  const site = (id: number, kind: Site["kind"], over: Partial<Site> = {}): Site => ({
    layout: layout(id),
    kind,
    domains: [{ name: `p${id}.test` }],
    wwwRedirect: 0,
    redirectStatus: 301,
    ...over,
  });
  const release = (id: number, name: number, files: Record<string, string>, publicDirectory = "."): void => {
    const root = `${layout(id).releases}/${name}`;
    for (const [path, content] of Object.entries({ ".longshore/x": "", ...files })) {
      mkdirSync(join(root, path, ".."), { recursive: true });
      writeFileSync(join(root, path), content);
    }
    symlinkSync(`../${publicDirectory}`, `${root}/.longshore/public`);
  };
  const activate = (id: number, name: number): void => {
    symlinkSync(`releases/${name}`, `${layout(id).current}.new`);
    renameSync(`${layout(id).current}.new`, layout(id).current);
  };

  const livePass = `live-${"0d".repeat(16)}`;
  /** What is live, for a deployment with its pass. */
  const liveAt = async (id: number, ask: Nginx["getSecurely"] = (...request) => nginx.get(...request)) => {
    writeFileSync(`${layout(id).state}/candidate-${livePass}`, "");
    const answer = await ask(`p${id}.test`, releaseCheckPath, { "x-longshore-candidate": livePass });
    rmSync(`${layout(id).state}/candidate-${livePass}`);
    return answer;
  };

  const apps = ["first", "second"].map((name) =>
    createServer((asked, answer) => {
      const received = asked.url === "/headers" ? JSON.stringify(asked.headers) : name;
      asked.resume().on("end", () => answer.end(asked.url === "/address" ? asked.headers["x-real-ip"] : received));
    }).on("upgrade", (_, socket) => {
      socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
      socket.on("data", (said) => socket.write(`you said ${said}`));
      socket.on("end", () => socket.end());
    }),
  );
  let hungUp = 0;
  const hangsUp = createServer((asked) => {
    hungUp += 1;
    asked.socket.destroy();
  });
  let sites: Site[] = [];

  before(async () => {
    const ports = [await listenOn(apps[0] as Server), await listenOn(apps[1] as Server)] as const;
    const tls = { ...selfSigned(nginx.directory), names: ["p9.test"] };
    sites = [
      site(9, { family: "static", spa: false }, { tls, hsts: true }),
      site(1, { family: "static", spa: false, assets: "build" }, { markdownNegotiation: true }),
      site(2, { family: "static", spa: "detected", assets: "build" }),
      site(3, { family: "node", ports }),
      site(4, { family: "php" }, { markdownNegotiation: true }),
      site(6, { family: "node", ports }, { proxies: ["127.0.0.0/8"], maxUploadMb: 2 }),
      site(7, { family: "static", spa: false }, { basicAuth: 1 }),
      site(8, { family: "node", ports: [await freePort(), await freePort()] }),
      site(10, { family: "node", ports: [await freePort(), ports[1]] }),
      site(11, { family: "node", ports: [await listenOn(hangsUp), ports[1]] }),
      site(
        5,
        { family: "static", spa: false },
        {
          domains: [
            { name: "p5.test" },
            { name: "old5.test", redirectTo: "https://p5.test", redirectStatus: 308 },
            { name: "page5.test", redirectTo: "https://p5.test/a;b" },
          ],
          wwwRedirect: 1,
          redirectStatus: 302,
        },
      ),
    ];
    const files = {
      "index.html": "one",
      "a.md": "# a",
      "a.html": "<a>",
      "sub/index.html": "sub",
      "sub/page.html": "page",
      ".env": "SECRET",
      "assets/app-3f9a2b1c.js": "x",
    };
    release(1, 1, files);
    release(1, 12, { "index.html": "twelve", "404.html": "own 404" });
    release(2, 1, { "dist/index.html": "app", "dist/real.js": "js" }, "dist");
    release(5, 1, { "index.html": "five" });
    release(6, 1, {});
    release(7, 1, { "index.html": "seven" });
    release(9, 1, { "index.html": "nine" });
    activate(9, 1);
    activate(6, 1);
    activate(7, 1);
    activate(2, 1);
    activate(5, 1);
    await nginx.start([...sites, foreignSite(ports[0])]);
  });
  after(async () => {
    await nginx.stop();
    for (const app of [...apps, hangsUp]) app.close();
  });

  test("holds visitors off before there is a release, and never serves the server's own root", async () => {
    for (const path of ["/", "/etc/passwd", "/index.html"]) {
      const { status, body, headers } = await nginx.get("p1.test", path);
      assert.equal(status, 503);
      assert.match(body, /Nothing is here yet/);
      assert.equal(headers["retry-after"], "120");
    }
  });

  test("serves the live release, without a reload after it changes", async () => {
    activate(1, 1);
    assert.equal((await nginx.get("p1.test", "/")).body, "one");
    assert.equal((await liveAt(1)).body, `${layout(1).releases}/1\n`);
    activate(1, 12);
    assert.equal((await nginx.get("p1.test", "/")).body, "twelve");
    assert.match((await nginx.get("p1.test", "/nothing")).body, /own 404/);
    activate(1, 1);
  });

  test("decides once for a request which release it gets, however long its name", async (t) => {
    release(1, 9, { "index.html": "nine" });
    release(1, 10, { "index.html": "ten" });
    activate(1, 9);
    const current = layout(1).current;
    const switching = `const { renameSync, symlinkSync } = require("node:fs");
      for (let n = 0; ; n++) {
        symlinkSync("releases/" + (9 + (n % 2)), ${JSON.stringify(`${current}.next`)});
        renameSync(${JSON.stringify(`${current}.next`)}, ${JSON.stringify(current)});
      }`;
    const switcher = spawn(process.execPath, ["-e", switching], { stdio: "ignore" });
    t.after(async () => {
      switcher.kill("SIGKILL");
      await once(switcher, "close");
      rmSync(`${current}.next`, { force: true });
      activate(1, 1);
    });
    const seen = new Map<string, number>();
    while (!(seen.get("nine") && seen.get("ten")) || [...seen.values()].reduce((sum, each) => sum + each) < 3_000) {
      const { status, body } = await nginx.get("p1.test", "/");
      assert.equal(status, 200);
      seen.set(body, (seen.get(body) ?? 0) + 1);
    }
    assert.deepEqual([...seen.keys()].sort(), ["nine", "ten"]);
  });

  test("hides dot files, caches hashed files, sets security headers", async () => {
    for (const path of ["/.env", "/.longshore/x", "/.git/config"]) {
      assert.equal((await nginx.get("p1.test", path)).status, 404);
    }
    const asset = await nginx.get("p1.test", "/assets/app-3f9a2b1c.js");
    assert.equal(asset.headers["cache-control"], "public, max-age=31536000, immutable");
    const page = await nginx.get("p1.test", "/");
    assert.equal(page.headers["cache-control"], "no-cache");
    assert.equal(page.headers["x-frame-options"], "SAMEORIGIN");
    assert.equal(page.headers["x-content-type-options"], "nosniff");
  });

  test("hides dot files wherever they would be looked for, and asks no application for them", async (t) => {
    release(4, 11, { "index.php": "", ".git/config": "SECRET", ".git/x.php": "SECRET", "a.php": "" });
    activate(4, 11);
    t.after(() => rmSync(layout(4).current));
    const behindScripts = ["/.git/x.php/a", "/.git/x.php/.env", "/none.php/.env", "/a/.b/c.php/d"];
    for (const path of ["/.git/config", "/.git/x.php", "/.git/", "/.none", "/x%0a/.env", ...behindScripts]) {
      assert.equal((await nginx.get("p4.test", path)).status, 404, path);
    }
    assert.equal((await nginx.get("p4.test", "/none")).status, 502, "the application is asked");
    assert.equal((await nginx.get("p4.test", "/a.php/.env")).status, 502, "a script's own names are its own");
    for (const path of ["/.git/config", "/.none", "/users/.env"]) {
      assert.equal((await nginx.get("p2.test", path)).status, 404, path);
    }
    release(5, 2, { "index.html": "five", ".git/config": "SECRET", ".well-known/security.txt": "known" });
    activate(5, 2);
    assert.equal((await nginx.get("p5.test", "/.git/config")).status, 404);
    assert.equal((await nginx.get("p5.test", "/.well-known/security.txt")).body, "known");
  });

  test("gives each site the headers that are its own, and a server of a foreign file none", async () => {
    const received = ["x-frame-options", "x-content-type-options", "referrer-policy", "cache-control", "retry-after"];
    const of = async (host: string, path: string) => {
      const { headers } = await nginx.get(host, path);
      return received.filter((name) => name in headers);
    };
    assert.deepEqual(await of("foreign.test", "/app-3f9a2b1c.js"), []);
    const { host } = JSON.parse((await nginx.get("foreign.test", "/headers")).body);
    assert.match(host, /^localhost:/);
    assert.equal(JSON.parse((await nginx.get("p6.test", "/headers")).body).host, "p6.test");
    assert.deepEqual(await of("p2.test", "/real.js"), received.slice(0, 3));
    assert.deepEqual(await of("p6.test", "/app-3f9a2b1c.js"), received.slice(0, 3));
    const checked = await liveAt(2);
    assert.deepEqual([checked.headers["cache-control"], checked.headers["retry-after"]], ["no-store", undefined]);
  });

  test("serves a page without its ending, and Markdown to those who ask for it", async () => {
    assert.equal((await nginx.get("p1.test", "/a")).body, "<a>");
    const { body, headers } = await nginx.get("p1.test", "/a", { accept: "text/markdown" });
    assert.equal(body, "# a");
    assert.match(headers["content-type"] ?? "", /^text\/markdown/);
  });

  test("answers in HTML where nothing turns it into Markdown", async () => {
    const accept = "text/markdown";
    for (const [path, answer] of [
      ["/", "one"],
      ["/index.html", "one"],
      ["/sub/", "sub"],
      ["/sub/page", "page"],
    ] as const) {
      const { status, body, headers } = await nginx.get("p1.test", path, { accept });
      assert.deepEqual([status, body, headers.vary], [200, answer, "Accept"], path);
    }
    assert.equal((await nginx.get("p1.test", "/none", { accept })).status, 404);
  });

  test("shows a PHP release before it is live, to requests with its pass while that exists", async () => {
    const { releases, state } = layout(4);
    release(4, 7, { "page.txt": "seven" });
    const candidate = `7-${"0a".repeat(16)}`;
    const asked = async (header: string) => {
      const headers = { "x-longshore-candidate": header };
      const answers = await Promise.all(
        [releaseCheckPath, "/page.txt"].map((path) => nginx.get("p4.test", path, headers)),
      );
      return answers.map(({ status, body }) => (status === 200 ? body.trim() : status));
    };
    const hidden = [404, 503];
    assert.deepEqual(await asked(candidate), hidden);
    mkdirSync(state, { recursive: true });
    writeFileSync(`${state}/candidate-${candidate}`, "");
    assert.deepEqual(await asked(candidate), [`${releases}/7`, "seven"]);
    for (const wrong of [
      "",
      "7-",
      `7-${"0b".repeat(16)}`,
      `8${candidate.slice(1)}`,
      `${candidate}0`,
      `../state/${candidate}`,
    ]) {
      assert.deepEqual(await asked(wrong), hidden, wrong);
    }
    rmSync(`${state}/candidate-${candidate}`);
    assert.deepEqual(await asked(candidate), hidden);
  });

  test("passes the pass of a request to no application", async (t) => {
    const pass = `7-${"0a".repeat(16)}`;
    const headers = { "x-longshore-candidate": pass, "x-other": "is passed on" };
    const { body } = await nginx.get("p6.test", "/headers", headers);
    assert.deepEqual([body.includes("is passed on"), body.includes(pass)], [true, false]);
    release(4, 9, { "index.php": "" });
    activate(4, 9);
    t.after(() => rmSync(layout(4).current));
    const php = await startFastcgi(layout(4).phpSocket);
    t.after(() => php.server.close());
    await nginx.get("p4.test", "/index.php", headers);
    const received = await php.received;
    assert.deepEqual([received.includes("is passed on"), received.includes(pass)], [true, false]);
  });

  test("shows what is live to a deployment with its pass alone, also to no other project of the server", async () => {
    for (const id of [2, 6]) {
      assert.match((await liveAt(id)).body, /^\S+\n$/);
      for (const pass of ["", livePass, "live-", "..", "../state"]) {
        const { status, body } = await nginx.get(`p${id}.test`, releaseCheckPath, { "x-longshore-candidate": pass });
        assert.deepEqual([status, body.includes("longshore_project"), body.includes("/srv/")], [404, false, false]);
      }
    }
  });

  test("gives PHP the path behind a script, and asks it for no script that does not exist", async (t) => {
    release(4, 10, { "index.php": "" });
    activate(4, 10);
    t.after(() => rmSync(layout(4).current));
    assert.equal((await nginx.get("p4.test", "/none.php/a/b")).status, 404);
    const php = await startFastcgi(layout(4).phpSocket);
    t.after(() => php.server.close());
    await nginx.get("p4.test", "/index.php/a/b");
    const received = await php.received;
    for (const [name, value] of [
      ["SCRIPT_NAME", "/index.php"],
      ["SCRIPT_FILENAME", `${layout(4).releases}/10/index.php`],
      ["PATH_INFO", "/a/b"],
      ["DOCUMENT_URI", "/index.php/a/b"],
    ] as const) {
      assert.equal(lastOf(received, name), value);
    }
  });

  test("gives unknown addresses of a single-page application its page, but not missing files", async () => {
    assert.equal((await nginx.get("p2.test", "/users/7")).body, "app");
    assert.equal((await nginx.get("p2.test", "/real.js")).body, "js");
    assert.equal((await nginx.get("p2.test", "/gone.js")).status, 404);
  });

  test("does not serve what a link of the project points to elsewhere", async () => {
    const evil = `${layout(1).releases}/666`;
    mkdirSync(`${evil}/.longshore`, { recursive: true });
    symlinkSync("/etc", `${evil}/.longshore/public`);
    activate(1, 666);
    assert.equal((await nginx.get("p1.test", "/passwd")).status, 503);
    activate(1, 1);
  });

  test("moves a Node project's visitors by its flag file", async () => {
    assert.equal((await nginx.get("p3.test", "/")).status, 503);
    release(3, 1, {});
    activate(3, 1);
    assert.equal((await nginx.get("p3.test", "/")).body, "first");
    writeFileSync(layout(3).secondPortFlag, "");
    assert.equal((await nginx.get("p3.test", "/")).body, "second");
    assert.match((await liveAt(3)).body, /^longshore_project_3_port_\d+\n$/);
    rmSync(layout(3).secondPortFlag);
    assert.equal((await nginx.get("p3.test", "/")).body, "first");
  });

  test("shows the maintenance page, but lets certificate authorities and the release check through", async () => {
    writeFileSync(layout(2).maintenanceFlag, "");
    for (const path of ["/", "/real.js", "/notes.md"]) {
      const { status, body, headers } = await nginx.get("p2.test", path);
      assert.equal(status, 503);
      assert.match(body, /Back in a moment/);
      assert.deepEqual([headers["cache-control"], headers["content-type"]], ["no-store", "text/html; charset=utf-8"]);
    }
    writeFileSync(join(layout(2).acmeChallenges, "token"), "proof");
    assert.equal((await nginx.get("p2.test", "/.well-known/acme-challenge/token")).body, "proof");
    assert.match((await liveAt(2)).body, /releases\/1\/dist/);
    rmSync(layout(2).maintenanceFlag);
    assert.equal((await nginx.get("p2.test", "/")).status, 200);
  });

  test("passes a WebSocket on, both ways, for as long as it lasts", async () => {
    const key = Buffer.from("a key of 16 byte").toString("base64");
    const socket = connect(nginx.port, "127.0.0.1");
    const collected = lines(socket);
    socket.write(
      `GET /live HTTP/1.1\r\nHost: p3.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
    );
    assert.match(await collected("\r\n\r\n"), /^HTTP\/1.1 101 [\s\S]*Upgrade: websocket/);
    for (const word of ["one", "two"]) {
      socket.write(`${word}\n`);
      assert.equal(await collected("\n"), `you said ${word}\n`);
    }
    socket.destroy();
  });

  test("gives an application only the visitor's address that a trusted proxy reports", async () => {
    const visitor = async (host: string) =>
      (await nginx.get(host, "/address", { "x-forwarded-for": "198.51.100.7" })).body;
    assert.equal(await visitor("p3.test"), "127.0.0.1");
    assert.equal(await visitor("p6.test"), "198.51.100.7");
    assert.equal((await nginx.get("p6.test", releaseCheckPath, { "x-forwarded-for": "127.0.0.1" })).status, 404);
  });

  test("asks for a password, but not certificate authorities and the release check", async () => {
    const hash = spawnSync("openssl", ["passwd", "-6", "-stdin"], { input: "open sesame", encoding: "utf8" }).stdout;
    writeFileSync(`${layout(7).state}/basic-auth`, `ali:${hash}`);
    const asked = await nginx.get("p7.test", "/");
    assert.equal(asked.status, 401);
    assert.match(asked.headers["www-authenticate"] ?? "", /^Basic realm=/);
    const as = (password: string) => ({ authorization: `Basic ${Buffer.from(`ali:${password}`).toString("base64")}` });
    assert.equal((await nginx.get("p7.test", "/", as("close sesame"))).status, 401);
    assert.equal((await nginx.get("p7.test", "/", as("open sesame"))).body, "seven");
    writeFileSync(join(layout(7).acmeChallenges, "token"), "proof");
    assert.equal((await nginx.get("p7.test", "/.well-known/acme-challenge/token")).body, "proof");
    assert.equal((await liveAt(7)).status, 200);
    const pass = `live-${"0c".repeat(16)}`;
    const knocking = async (given: string) =>
      (await nginx.get("p7.test", "/", { "x-longshore-candidate": given })).status;
    assert.equal(await knocking(pass), 401, "it is not there");
    writeFileSync(`${layout(7).state}/candidate-${pass}`, "");
    for (const wrong of ["", "live-", `${pass}0`, `../candidate-${pass}`, `${pass}/../basic-auth`, "."]) {
      assert.equal(await knocking(wrong), 401, wrong);
    }
    assert.equal(await knocking(pass), 200);
    rmSync(`${layout(7).state}/candidate-${pass}`);
    assert.equal(await knocking(pass), 401);
  });

  test("takes request bodies up to its size, and refuses larger ones", async () => {
    const size = async (bytes: number) =>
      (await nginx.get("p6.test", "/", { "content-length": String(bytes) }, "POST")).status;
    assert.equal(await size(2 << 20), 200);
    assert.equal(await size((2 << 20) + 1), 413);
  });

  test("shows a page when nothing answers behind it: the release's own, or ours", async () => {
    release(8, 1, {});
    activate(8, 1);
    const ours = await nginx.get("p8.test", "/");
    assert.equal(ours.status, 502);
    assert.match(ours.body, /Something went wrong/);
    release(8, 2, { "public/50x.html": "own 50x" });
    activate(8, 2);
    const own = await nginx.get("p8.test", "/");
    assert.deepEqual([own.status, own.body], [502, "own 50x"]);
    release(8, 3, { "public/x": "" });
    symlinkSync("/etc/passwd", `${layout(8).releases}/3/public/50x.html`);
    lchownSync(`${layout(8).releases}/3/public/50x.html`, 12_345, 12_345);
    activate(8, 3);
    assert.doesNotMatch((await nginx.get("p8.test", "/")).body, /root:/);
  });

  test("shows these pages also to what is no GET", async (t) => {
    release(4, 12, { "index.php": "", "50x.html": "own 50x" });
    activate(4, 12);
    t.after(() => rmSync(layout(4).current));
    const php = await nginx.get("p4.test", "/index.php", {}, "POST");
    assert.deepEqual([php.status, php.body], [502, "own 50x"]);
    release(8, 4, { "public/50x.html": "own 50x" });
    activate(8, 4);
    const node = await nginx.get("p8.test", "/", {}, "POST");
    assert.equal(node.status, 502);
    assert.match(node.body, /Something went wrong/);
  });

  // A request whose body arrives after another process has gone live.
  const switchedDuringBody = async (id: number): Promise<string> => {
    const host = `p${id}.test`;
    release(id, 1, {});
    activate(id, 1);
    mkdirSync(layout(id).state, { recursive: true });
    const socket = connect(nginx.port, "127.0.0.1");
    const collected = lines(socket);
    const head = ["POST /x%2Fy HTTP/1.1", `Host: ${host}`, "Content-Length: 4", "Expect: 100-continue"];
    socket.write(`${head.join("\r\n")}\r\n\r\n`);
    assert.match(await collected("\r\n\r\n"), /^HTTP\/1.1 100 /, "the request has begun");
    writeFileSync(layout(id).secondPortFlag, "");
    socket.write("body");
    const answer = await collected("\r\n\r\n");
    socket.destroy();
    rmSync(layout(id).secondPortFlag);
    return answer.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length);
  };

  test("gives a request to the live process when that of before did not take it", async () => {
    assert.equal(await switchedDuringBody(10), "200");
    assert.equal((await nginx.get("p10.test", "/")).status, 502, "nothing is live there");
  });

  test("sends no request twice that has reached a process", async () => {
    assert.equal(await switchedDuringBody(11), "502");
    assert.equal(hungUp, 1);
  });

  test("redirects www and other names", async () => {
    const to = async (host: string) => {
      const { status, headers } = await nginx.get(host, "/x?y=1");
      return `${status} ${headers.location}`;
    };
    assert.equal(await to("www.p5.test"), "302 http://p5.test/x?y=1");
    assert.equal(await to("old5.test"), "308 https://p5.test/x?y=1");
    assert.equal(await to("page5.test"), "302 https://p5.test/a;b");
  });

  test("makes browsers keep to HTTPS only where that was asked for and is served", () => {
    const tls = { certificate: "/c", key: "/k", names: ["p1.test"] };
    const text = (over: Partial<Site>) => nginxSite(site(1, { family: "static", spa: true }, over));
    const received = /Strict-Transport-Security/g;
    assert.equal(text({ hsts: true }).match(received), null);
    assert.equal(text({ tls }).match(received), null);
    const locations = text({ tls, hsts: true }).match(/add_header X-Frame-Options/g)?.length;
    assert.equal(text({ tls, hsts: true }).match(received)?.length, locations);
  });

  test("serves over TLS, and over plain HTTP answers certificate authorities and sends everyone else there", async () => {
    const { status, body, headers } = await nginx.getSecurely("p9.test", "/");
    assert.deepEqual([status, body], [200, "nine"]);
    assert.equal(headers["strict-transport-security"], "max-age=31536000");
    for (const path of ["/x?y=1", "/.env", releaseCheckPath]) {
      const plain = await nginx.get("p9.test", path);
      assert.deepEqual([plain.status, plain.headers.location], [301, `https://p9.test${path}`]);
      assert.equal(plain.headers["strict-transport-security"], undefined);
    }
    writeFileSync(join(layout(9).acmeChallenges, "token"), "proof");
    assert.equal((await nginx.get("p9.test", "/.well-known/acme-challenge/token")).body, "proof");
    assert.match((await liveAt(9, (...request) => nginx.getSecurely(...request))).body, /releases\/1\n$/);
  });

  test("is accepted with TLS", () => {
    const tls = selfSigned(nginx.directory);
    nginx.write(sites.map((each) => ({ ...each, tls: { ...tls, names: siteNames(each) } })));
    assert.equal(nginx.test(), "");
  });
});
