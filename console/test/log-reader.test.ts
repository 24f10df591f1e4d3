import assert from "node:assert/strict";
import { createServer, type Server, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, describe, it, type TestContext } from "node:test";
import {
  addProject,
  addProvisioned,
  finishRun,
  openStage,
  type Stage,
} from "../../src/features/deployments/tests/support.ts";
import { pollUntil } from "../../src/lib/clock.ts";
import { followAhead, type LogReader, readerOf, stopAhead } from "../src/parts/log-view/log-reader.ts";
import { changeOfRun } from "../src/parts/log-view/run-events.ts";
import type { LogPlace, LogSource, Page } from "../src/parts/log-view/source.ts";
import { begin, endStep, fill, print, startStep } from "./printed-log.ts";

// Browsers tell here that the network is back; Node does not.
globalThis.addEventListener ??= EventTarget.prototype.addEventListener.bind(new EventTarget());

let stage: Stage;
let server: number;
let id: number;
let way: Way;

before(async () => {
  stage = await openStage();
  await stage.app.listen({ host: "127.0.0.1", port: 0 });
  way = await openWay((stage.app.server.address() as AddressInfo).port, stage.cast.alice);
  server = await addProvisioned(stage);
});
after(async () => {
  way?.close();
  await stage?.close();
});
beforeEach(async () => {
  id = await begin(stage, await addProject(stage.pool, server), server);
});

interface Way {
  url: string;
  /** Ends all connections that are open. */
  cut(): void;
  /** Requests that came through. */
  paths: string[];
  close(): void;
}

/** A way to the control plane that can be cut, and that delivers answers in pieces of seven bytes. */
async function openWay(port: number, token: string): Promise<Way> {
  const paths: string[] = [];
  const front: Server = createServer((from, to) => {
    paths.push(from.url ?? "");
    const headers = { ...from.headers, authorization: `Bearer ${token}` };
    const onward = send({ host: "127.0.0.1", port, path: from.url, headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.on("data", (bytes: Buffer) => {
        for (let at = 0; at < bytes.length; at += bytes.length > 1_000 ? bytes.length : 7)
          to.write(bytes.subarray(at, at + (bytes.length > 1_000 ? bytes.length : 7)));
      });
      answer.on("end", () => to.end());
      answer.on("error", () => to.destroy());
    });
    onward.on("error", () => to.destroy());
    to.on("close", () => onward.destroy());
    onward.end();
  });
  await new Promise<void>((done) => front.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
    cut: () => front.closeAllConnections(),
    paths,
    close: () => {
      front.closeAllConnections();
      front.close();
    },
  };
}

function source(): LogSource {
  const log = `${way.url}/api/v1/deployments/${id}/log`;
  return {
    key: String(id),
    organization: stage.cast.organizationId,
    read: async (place: LogPlace, signal) => {
      const query = new URLSearchParams(Object.entries(place).map(([name, value]) => [name, String(value)]));
      return (await (await fetch(`${log}?${query}`, { signal })).json()) as Page;
    },
    stream: (after) => `${log}/stream?after=${after}`,
    changeOf: changeOfRun,
  };
}

function open(t: TestContext): LogReader {
  const reader = readerOf(source());
  t.after(reader.start());
  stopAhead();
  return reader;
}

/** Until the reader's state is so, each time that it changes. */
async function until(reader: LogReader, isSo: () => boolean): Promise<void> {
  assert.ok(await pollUntil(async () => isSo(), { timeoutMs: 20_000 }), JSON.stringify(reader.getState()));
}

const linesOf = (reader: LogReader): (string | undefined)[] =>
  Array.from({ length: reader.getState().total }, (_, at) => reader.pages.line(at + 1));

describe("the reader of a log", () => {
  it("has each line once and in order, although the connection is lost again and again", async (t) => {
    await startStep(stage, id, 0);
    await print(stage, id, "before\n");
    const reader = open(t);
    const printed = ["before"];
    for (let n = 0; n < 5; n++) {
      const words = [`round ${n} café 😀`, `round ${n} second`];
      await print(stage, id, `${words[0]}\n`);
      printed.push(words[0] as string);
      await until(reader, () => reader.getState().total === printed.length);
      way.cut();
      await print(stage, id, `${words[1]}\n`);
      printed.push(words[1] as string);
      await until(reader, () => reader.getState().total === printed.length);
    }
    await finishRun(stage, id, "succeeded");
    await until(reader, () => reader.getState().isComplete);
    assert.deepEqual(linesOf(reader), printed);
  });

  it("follows the steps and what they print", async (t) => {
    const reader = open(t);
    await until(reader, () => reader.getState().isOpen);
    await startStep(stage, id, 0);
    await print(stage, id, "one\n");
    await endStep(stage, id, 0);
    await startStep(stage, id, 1);
    await print(stage, id, "two\n");
    await until(reader, () => reader.getState().total === 2 && reader.getState().steps.size === 2);
    const { steps, sections } = reader.getState();
    assert.deepEqual(
      [...steps].map(([index, { status }]) => [index, status]),
      [
        [0, "completed"],
        [1, "running"],
      ],
    );
    assert.deepEqual(
      sections.map(({ line }) => line),
      [1, 2],
    );
  });

  it("is followed before its view is there, by one stream", async (t) => {
    await startStep(stage, id, 0);
    await print(stage, id, "one\n");
    way.paths.length = 0;
    followAhead(source());
    assert.ok(
      await pollUntil(async () => way.paths.some((path) => path.includes("/stream")), { timeoutMs: 20_000 }),
      "the stream waits for the view",
    );
    await print(stage, id, "two\n");
    const reader = open(t);
    await until(reader, () => reader.getState().total === 2);
    await finishRun(stage, id, "succeeded");
    await until(reader, () => reader.getState().isComplete);
    assert.deepEqual(linesOf(reader), ["one", "two"]);
    assert.equal(way.paths.filter((path) => /tail=500|stream/.test(path)).length, 2);
  });

  it("of another log, or of one that could not be read ahead, is a new one", async (t) => {
    await startStep(stage, id, 0);
    await print(stage, id, "one\n");
    for (const key of ["another", String(id)]) {
      const refused = Promise.reject(new Error("in vain"));
      followAhead({ ...source(), key, read: () => refused });
      await assert.rejects(refused);
      const reader = open(t);
      await until(reader, () => reader.getState().total === 1);
    }
  });

  it("is complete only after the end of the stream", async (t) => {
    await startStep(stage, id, 0);
    await print(stage, id, "one\n");
    const reader = open(t);
    await until(reader, () => reader.getState().total === 1);
    assert.equal(reader.getState().isComplete, false);
    await finishRun(stage, id, "failed", {}, "It failed.");
    await until(reader, () => reader.getState().isComplete);
  });

  it("reads the pages on screen, and no others, of a log of a million lines", async (t) => {
    await fill(stage, id, { pieces: 1_400 });
    await finishRun(stage, id, "succeeded");
    const reader = open(t);
    await until(reader, () => reader.getState().isComplete);
    assert.equal(reader.getState().total, 1_050_000);
    assert.match(reader.pages.line(1_050_000) ?? "", /^line 1050000 x/);
    way.paths.length = 0;
    reader.show([
      { from: 499_990, to: 500_010 },
      { from: 700_001, to: 700_040 },
    ]);
    await until(reader, () => reader.pages.findMissing(700_001, 700_040) === undefined);
    for (const line of [499_990, 500_010, 700_040])
      assert.match(reader.pages.line(line) ?? "", new RegExp(`^line ${line} x`));
    assert.equal(way.paths.length, 3);
    assert.equal(reader.pages.line(600_000), undefined);
  });

  it("shows the beginning of a line of 10 MB, and what is before and after it", async (t) => {
    await startStep(stage, id, 0);
    await print(stage, id, "before\n", ...Array.from({ length: 160 }, () => "é".repeat(32_768)), "\nafter\n");
    await finishRun(stage, id, "succeeded");
    const reader = open(t);
    await until(reader, () => reader.getState().isComplete || reader.getState().error !== undefined);
    reader.show([{ from: 1, to: 3 }]);
    await until(reader, () => reader.pages.findMissing(1, 3) === undefined);
    assert.deepEqual([reader.pages.line(1), reader.pages.line(3)], ["before", "after"]);
    assert.match(reader.pages.line(2) ?? "", /^é{8192} … \(cut/);
  });
});
