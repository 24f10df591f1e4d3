import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer, get, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { markdownServer, type Options } from "../server.ts";

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

async function listening(t: TestContext, server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  t.after(async () => {
    const closed = once(server.close(), "close");
    server.closeAllConnections();
    await closed;
  });
  await once(server, "listening");
  return portOf(server);
}

/** The converter in front of a web server that answers like this: the starts of requests, and the ends of its answers. */
async function before(t: TestContext, site: RequestListener, options: Partial<Options> = {}) {
  const http = await listening(t, createServer({ maxHeaderSize: 160 * 1024 }, site));
  const ends: Promise<unknown>[] = [];
  const passes = mkdtempSync(join(tmpdir(), "longshore-passes-"));
  t.after(() => rmSync(passes, { recursive: true }));
  const converter = markdownServer({ http, https: 0 }, { passes, idleMs: 60_000, onIdle: () => undefined, ...options });
  const port = await listening(
    t,
    converter.on("request", (_, answer) => ends.push(once(answer, "close"))),
  );
  const ask = async (path = "/", site = 1, headers: Record<string, string> = {}): Promise<IncomingMessage> => {
    const nginx = { "x-longshore-markdown": `${site} http 192.0.2.1  192.0.2.1` };
    const sent = get({ host: "127.0.0.1", port, path, agent: false, headers: { ...nginx, ...headers } });
    const [answer] = await once(sent, "response");
    return answer as IncomingMessage;
  };
  return { ask, ends, passes };
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of answer.setEncoding("utf8")) text += piece;
  return text;
}

const isMarkdown = ({ headers }: IncomingMessage): boolean =>
  headers["content-type"] === "text/markdown; charset=utf-8";

/** Takes minutes to convert. */
const slowPage = `<table>${"<tr><td>x</td></tr>".repeat(20_000)}</table>`;
/** Takes more memory than a thread has. */
const largePage = "<b>".repeat(600_000);

describe("the converter", { timeout: 120_000 }, () => {
  for (const [what, page] of [
    ["takes too long", slowPage],
    ["takes too much memory", largePage],
  ] as const) {
    test(`returns a page that ${what} as it is, and delays no other site`, { timeout: 120_000 }, async (t) => {
      const { ask } = await before(t, ({ url }, answer) =>
        answer.setHeader("content-type", "text/html").end(url === "/hostile" ? page : "<h1>Tea</h1>"),
      );
      while (!isMarkdown(await ask("/", 2)));
      const begin = performance.now();
      const hostile = [ask("/hostile"), ask("/hostile"), ask("/hostile")].map(async (asked) => {
        const answer = await asked;
        return [isMarkdown(answer), await textOf(answer)] as const;
      });
      const slowest: number[] = [];
      const done = Promise.all(hostile);
      for (let isDone = false; !isDone; isDone = (await Promise.race([done, undefined])) !== undefined) {
        const since = performance.now();
        assert.ok(isMarkdown(await ask("/", 2)), "another site's page meanwhile");
        slowest.push(performance.now() - since);
      }
      for (const [converted, text] of await done) assert.deepEqual([converted, text.length], [false, page.length]);
      assert.ok(performance.now() - begin < 20_000, "the HTML comes soon");
      assert.ok(slowest.length > 3 && Math.max(...slowest) < 10_000, String(Math.max(...slowest)));
      assert.ok(!isMarkdown(await ask("/")), "its site's pages stay as they are for a moment");
    });
  }

  test("leaves pages to nginx when it reads too many of a site at once", async (t) => {
    const waiting: (() => void)[] = [];
    const { ask } = await before(t, ({ url }, answer) => {
      answer.setHeader("content-type", "text/html");
      if (url === "/slow") waiting.push(() => answer.end("<h1>Slow</h1>"));
      else answer.end("<h1>Tea</h1>");
    });
    const slow = [1, 2, 3, 4].map(() => ask("/slow"));
    while (waiting.length < 4) await new Promise((next) => setImmediate(next));
    assert.equal((await ask("/slow")).statusCode, 502);
    assert.equal((await ask("/", 2)).statusCode, 200, "another site's");
    for (const end of waiting) end();
    for (const answer of await Promise.all(slow)) assert.equal(answer.statusCode, 200);
    assert.equal((await ask("/")).statusCode, 200, "afterwards");
  });

  test("leaves a page to nginx that does not begin, and returns one that does not end as far as it came", async (t) => {
    const site: RequestListener = ({ url }, answer) => {
      if (url === "/begun") answer.setHeader("content-type", "text/html").write("<h1>Beg");
    };
    const { ask } = await before(t, site, { pageMs: 1_500 });
    assert.equal((await ask("/none")).statusCode, 502);
    const begun = await ask("/begun");
    assert.deepEqual([begun.statusCode, begun.headers["content-type"]], [200, "text/html"]);
    assert.equal(String((await once(begun, "data"))[0]), "<h1>Beg");
  });

  test("shows nginx a pass for as long as it waits for a page, and leaves what nginx did not send to nginx", async (t) => {
    const seen: unknown[] = [];
    const { ask, passes } = await before(t, ({ headers }, answer) => {
      const [pass = "", ...visitor] = String(headers["x-longshore-markdown"]).split(" ");
      seen.push(readdirSync(passes).join() === pass, /^[0-9a-f]{32}$/.test(pass), visitor);
      answer.setHeader("content-type", "text/html").end("<h1>Tea</h1>");
    });
    await ask();
    assert.deepEqual(seen, [true, true, ["192.0.2.1", "", "192.0.2.1"]]);
    assert.deepEqual(readdirSync(passes), []);
    for (const envelope of ["", "1 http", "http 192.0.2.1", "1 ftp 192.0.2.1"]) {
      assert.equal((await ask("/", 1, { "x-longshore-markdown": envelope })).statusCode, 502);
    }
    assert.equal((await ask("/", 1, { "x-long": "x".repeat(140_000) })).statusCode, 200, "nginx passes longer headers");
    assert.equal((await ask("/", 1, { "x-long": "x".repeat(170_000) })).statusCode, 502);
  });

  test("turns a page into Markdown, and leaves a long one as it is", async (t) => {
    const pages = ["<h1>Tea</h1>", `<p>${"x".repeat(5 << 20)}</p>`];
    const { ask } = await before(t, (_, answer) => answer.setHeader("content-type", "text/html").end(pages.shift()));
    const short = await ask();
    assert.deepEqual([isMarkdown(short), await textOf(short)], [true, "# Tea\n"]);
    const long = await ask();
    assert.deepEqual([long.headers["content-type"], (await textOf(long)).length], ["text/html", (5 << 20) + 7]);
  });

  for (const type of ["text/plain", "text/html"]) {
    test(`breaks off when the site does, in the middle of a long page of ${type}`, { timeout: 120_000 }, async (t) => {
      const begun = Buffer.alloc(5 << 20, "x");
      const { ask } = await before(t, (_, answer) => {
        answer.writeHead(200, { "content-type": type });
        answer.write(begun, () => answer.destroy());
      });
      await assert.rejects(ask().then(textOf), { code: "ECONNRESET" });
    });
  }

  test("does not end in the middle of an answer", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    let ended = 0;
    const answers: { end: (text: string) => void }[] = [];
    const { ask, ends } = await before(
      t,
      (_, answer) => {
        answer.writeHead(200, { "content-type": "text/plain" }).write("slow");
        answers.push(answer);
      },
      { onIdle: () => void ended++ },
    );
    const [one, other] = [await ask(), await ask()];
    t.mock.timers.tick(120_000);
    answers[0]?.end("ly");
    assert.equal(await textOf(one), "slowly");
    await ends[0];
    t.mock.timers.tick(120_000);
    assert.equal(ended, 0);
    answers[1]?.end("er");
    assert.equal(await textOf(other), "slower");
    await Promise.all(ends);
    t.mock.timers.tick(120_000);
    assert.equal(ended, 1);
  });
});
