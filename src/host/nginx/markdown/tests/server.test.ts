import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, get, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, type TestContext, test } from "node:test";
import { markdownServer } from "../server.ts";

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

async function listening(t: TestContext, server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  return portOf(server);
}

/** The converter in front of a web server that answers like this: the starts of requests, and the ends of its answers. */
async function before(t: TestContext, site: RequestListener, onIdle = (): void => undefined) {
  const http = await listening(t, createServer(site));
  const ends: Promise<unknown>[] = [];
  const converter = markdownServer({ http, https: 0 }, { idleMs: 60_000, onIdle });
  const port = await listening(
    t,
    converter.on("request", (_, answer) => ends.push(once(answer, "close"))),
  );
  const ask = async (): Promise<IncomingMessage> => {
    const [answer] = await once(get({ host: "127.0.0.1", port, agent: false }), "response");
    return answer as IncomingMessage;
  };
  return { ask, ends };
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of answer.setEncoding("utf8")) text += piece;
  return text;
}

describe("the converter", () => {
  test("turns a page into Markdown, and leaves a long one as it is", async (t) => {
    const pages = ["<h1>Tea</h1>", `<p>${"x".repeat(5 << 20)}</p>`];
    const { ask } = await before(t, (_, answer) => answer.setHeader("content-type", "text/html").end(pages.shift()));
    const short = await ask();
    assert.deepEqual([short.headers["content-type"], await textOf(short)], ["text/markdown; charset=utf-8", "# Tea\n"]);
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
      () => {
        ended += 1;
      },
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
