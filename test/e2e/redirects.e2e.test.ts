import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { RedirectOrder } from "../../contract/types.ts";
import { pollUntil } from "../../src/lib/clock.ts";
import { visit } from "../../stage/projects.ts";
import {
  bodyOf,
  changeServed,
  deployToEnd,
  install,
  lengthy,
  openStage,
  type Project,
  type Stage,
  startVisitor,
} from "../../stage/support.ts";

// Redirects by path on a real server, for each kind of project.

let stage: Stage;
let pages: Project;
let shop: Project;
let app: Project;

before(async () => {
  stage = await openStage("redirects");
  const server =
    'require("node:http").createServer((_, response) => response.end("app")).listen(process.env.PORT, "127.0.0.1");';
  [pages, shop, app] = await Promise.all([
    install(stage, { name: "pages", files: { "index.html": "pages", "old.html": "old" } }),
    install(stage, { name: "shop", frameworkId: 4, files: { "public/index.php": "<?php echo 'shop';" } }),
    install(stage, {
      name: "app",
      frameworkId: 8,
      files: { "server.js": server, "package.json": '{"scripts":{"start":"node server.js"}}' },
    }),
  ]);
}, lengthy);
after(() => stage?.close());

const change = (redirects: RedirectOrder[], { id }: Project) =>
  stage.client("PUT /api/v1/projects/{id}/redirects", { params: { id }, body: { redirects } });

const shown = async ({ id }: Project) =>
  (await stage.client("GET /api/v1/projects/{id}/redirects", { params: { id } })).data;

/** Status and Location, as nginx of the server answers. */
const leads = (path: string, { domain }: Project): Promise<string> =>
  stage.bash(
    `curl -g -s -o /dev/null --path-as-is -w '%{http_code} %header{location}' -H 'Host: ${domain}' 'http://127.0.0.1${path}'`,
  );

const siteOf = ({ id }: Project) => stage.bash(`cat /etc/nginx/sites-enabled/longshore-project-${id}.conf`);

const redirects: RedirectOrder[] = [
  { from: "/old.html", to: "/new", status: 308 },
  { match: "pattern", from: "/blog/:year/:slug", to: "/news/:slug?y=:year" },
  { match: "prefix", from: "/docs", to: "https://docs.example.test", status: 302, keeps_query: false },
  { from: "/gone" },
];

describe("redirects by path", () => {
  it("apply to every kind of project at once, without a deployment and without a lost request", async () => {
    for (const [project, body] of [
      [pages, "pages"],
      [shop, "shop"],
      [app, "app"],
    ] as const) {
      const visitor = startVisitor(stage, project, (found) => found === body);
      const { message } = await change(redirects, project);
      assert.equal(message, "The redirects were replaced, and the web server follows.");
      assert.equal(await leads("/old.html?a=1", project), "308 /new?a=1");
      assert.equal(await leads("/blog/2024/a%20b?q", project), "301 /news/a%20b?y=2024&q");
      assert.equal(await leads("/docs/a?q", project), "302 https://docs.example.test/a");
      assert.equal(await leads("/docs//evil.test", project).then((answer) => answer.includes("evil")), false);
      assert.match(await leads("/gone", project), /^410/);
      for (let times = 0; times < 5; times++) await change(redirects.slice(times % 2), project);
      const { visits, wrong } = await visitor.stop();
      assert.deepEqual(wrong, []);
      assert.ok(visits > 10, String(visits));
      assert.equal((await shown(project)).sync.state, "applied");
    }
  });

  it("are there for visitors soon after a change", async (t) => {
    const times: number[] = [];
    const visitor = startVisitor(stage, pages, (body) => body === "pages");
    for (let at = 0; at < 20; at++) {
      const path = `/moved/${at}`;
      const askedAt = performance.now();
      const isSeen = async () =>
        (await visit({ address: stage.server.address, host: pages.domain, path })).status === 301;
      const answered = change([{ from: path, to: "/" }], pages).then(() => performance.now() - askedAt);
      assert.ok(await pollUntil(isSeen, { timeoutMs: 20_000, everyMs: 5 }));
      times.push(performance.now() - askedAt);
      t.diagnostic(`seen after ${Math.round(times.at(-1) ?? 0)} ms, answered after ${Math.round(await answered)} ms`);
    }
    const { visits, wrong } = await visitor.stop();
    assert.deepEqual(wrong, []);
    const middle = times.toSorted((a, b) => a - b)[times.length / 2] ?? 0;
    t.diagnostic(`median ${Math.round(middle)} ms, longest ${Math.round(Math.max(...times))} ms, ${visits} visits`);
  });

  it("let deployments and certificate authorities through, also when every address is redirected", async () => {
    const everything: RedirectOrder[] = [{ match: "pattern", from: "/*", to: "https://new.example.test/:splat" }];
    for (const project of [pages, shop, app]) {
      await change(everything, project);
      assert.equal(await leads("/a?b", project), "301 https://new.example.test/a?b");
      assert.match(await leads("/.well-known/acme-challenge/token", project), /^404/);
      assert.equal((await deployToEnd(stage, project)).status, 1);
      assert.equal(await leads("/", project), "301 https://new.example.test/");
      await change([], project);
    }
    assert.deepEqual(await Promise.all([pages, shop, app].map((project) => bodyOf(stage, project))), [
      "pages",
      "shop",
      "app",
    ]);
  });

  it("cannot be more than a value in nginx's file", async () => {
    await change([{ from: "/fine", to: "/there" }], pages);
    const before = await siteOf(pages);
    const hostile = [
      '/x"; return 200; #',
      "/x\n}",
      "/$host",
      "/x;",
      "/{x}",
      "/\\x",
      "//evil.test",
      "https://a@evil.test",
    ];
    for (const to of hostile) await assert.rejects(change([{ from: "/a", to }], pages), /target/i, to);
    for (const from of ['/x" "200 y"; #', "/x\r\n", "/\\x", "/(a+)+{9}"])
      await assert.rejects(change([{ from, to: "/b" }], pages), /path/i, from);
    assert.equal(await siteOf(pages), before);
    // What looks like an expression or a variable is a path.
    await change([{ from: "/$host/(.*)+[a]", to: "/there" }], pages);
    assert.equal(await leads("/$host/(.*)+[a]", pages), "301 /there");
    assert.match(await leads("/x/y", pages), /^404/);
  });

  it("are as before when nginx rejects the site, and the answer has the reason", async () => {
    await change([{ from: "/fine", to: "/there" }], pages);
    // A file of another's that nginx cannot load: no change can be taken now.
    await stage.bash("echo 'no_such_directive;' > /etc/nginx/conf.d/broken.conf");
    try {
      await assert.rejects(change([{ from: "/other", to: "/there" }], pages), /taken back\. nginx rejects/);
    } finally {
      await stage.bash("rm /etc/nginx/conf.d/broken.conf");
    }
    assert.deepEqual(
      (await shown(pages)).redirects.map(({ from }) => from),
      ["/fine"],
    );
    await changeServed(stage, pages, { max_upload_mb: 20 });
    assert.equal(await leads("/fine", pages), "301 /there");
    assert.match(await leads("/other", pages), /^404/);
  });

  it("come from a file with 500 lines, and the last one applies", async () => {
    const text = Array.from({ length: 500 }, (_, at) => `/from/${at}/:page /to/${at}/:page`).join("\n");
    const params = { id: pages.id };
    const body = { format: "_redirects" as const, text, replace: true };
    const { imported, ignored } = await stage.client("POST /api/v1/projects/{id}/redirects/import", { params, body });
    assert.deepEqual([imported, ignored], [500, []]);
    assert.equal(await leads("/from/499/x", pages), "301 /to/499/x");
    assert.equal(await bodyOf(stage, pages), "pages");
  });
});
