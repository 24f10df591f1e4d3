import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Entry } from "../../../engine/runs/journal.ts";
import { findRun } from "../../../engine/runs/queries.ts";
import { applyUpdate, parseUpdate } from "../../../engine/runs/store.ts";
import { periodicTask } from "../../../features.ts";
import { call } from "../../../http/tests/support.ts";
import { deploymentRunKinds } from "../jobs.ts";
import { printable } from "../log.ts";
import {
  addProject,
  addProvisioned,
  deploy,
  dispatch,
  findRow,
  finishRun,
  openStage,
  type Stage,
  startRuns,
} from "./support.ts";

interface Printed {
  audience: "system" | "client";
  text: string;
}

describe("the log of a deployment", () => {
  let stage: Stage;
  let server: number;
  before(async () => {
    stage = await openStage();
    server = await addProvisioned(stage);
  });
  after(() => stage.close());

  const get = async (path: string) => {
    const reply = await call(stage.app, `GET /api/v1${path}`, { token: stage.cast.alice });
    assert.equal(reply.status, 200, reply.text);
    return reply;
  };

  const running = async (): Promise<number> => {
    const [id] = (await deploy(stage, await addProject(stage.pool, server))) as [number];
    await dispatch(stage, server);
    return id;
  };

  /** A deployment under way that has printed these pieces. */
  async function printed(...pieces: Printed[]): Promise<number> {
    const id = await running();
    const { run_id: runId } = await findRow(stage, id);
    let offset = 0;
    for (const { audience, text } of pieces) {
      await stage.pool.query(
        "insert into run_output (run_id, journal_offset, step_position, audience, text) values ($1, $2, 1, $3, $4)",
        [runId, offset, audience, text],
      );
      // The journal's bytes, which are more than the text's where secrets were masked.
      offset += text.length + 17;
    }
    return id;
  }

  const linesOf = (count: number, prefix: string): string =>
    Array.from({ length: count }, (_, at) => `${prefix} ${at}\n`).join("");

  it("is read in parts, each from where the one before ended", async () => {
    const pieces = Array.from({ length: 7 }, (_, at): Printed => {
      return { audience: at % 3 === 0 ? "system" : "client", text: linesOf(100, `piece ${at} line`) };
    });
    const id = await printed(...pieces);
    const parts: Printed[] = [];
    let pages = 0;
    for (let next = 0, hasMore = true; hasMore; pages++) {
      const { body } = await get(`/deployments/${id}/log?after=${next}&limit=2500`);
      parts.push(...body.data.map(({ audience, text }: Printed) => ({ audience, text })));
      assert.equal(body.is_complete, false);
      ({ next, has_more: hasMore } = body);
    }
    assert.deepEqual(parts, pieces);
    assert.equal(pages, 4);
  });

  it("reports that it is complete once the deployment has ended, and what each part is of", async () => {
    const id = await printed({ audience: "system", text: "fetched\n" });
    await startRuns(stage);
    const first = (await get(`/deployments/${id}/log`)).body;
    const piece = { offset: 0, step: "create-folders", audience: "system", text: "fetched\n", first_line: 1 };
    assert.deepEqual(first.data, [piece]);
    assert.deepEqual([first.has_more, first.is_complete], [false, false]);
    const none = (await get(`/deployments/${id}/log?after=${first.next}`)).body;
    assert.deepEqual([none.data, none.next], [[], first.next]);
    await finishRun(stage, id, "failed");
    assert.equal((await get(`/deployments/${id}/log?after=${first.next}`)).body.is_complete, true);
    const [queued] = (await deploy(stage, await addProject(stage.pool, server))) as [number];
    const { data, is_complete } = (await get(`/deployments/${queued}/log`)).body;
    assert.deepEqual([data, is_complete], [[], false]);
    assert.equal((await get(`/deployments/${queued}/log.txt`)).text, "");
  });

  it("is announced as it grows, with where to read on", async () => {
    const id = await running();
    await stage.pool.query("delete from events");
    const run = await findRun(stage.pool, Number((await findRow(stage, id)).run_id));
    const kinds = new Map(deploymentRunKinds(stage.ctx).map((kind) => [kind.kind, kind]));
    assert.ok(run);
    const store = (offset: number, ...entries: Entry[]) => {
      const update = parseUpdate(run, { entries, consumed: 100, offset }, 0, (bytes) => bytes);
      return applyUpdate({ pool: stage.pool, kinds }, update);
    };
    const at = Date.now();
    await store(0, { type: "run", at }, { type: "step", position: 0, at });
    const output = (text: string, offset: number): Entry => ({ type: "output", bytes: Buffer.from(text), offset });
    await store(100, output("one\n", 130), output("two\n", 140));
    await store(200, output("three\n", 200));
    const events = await stage.pool.query("select data from events where name = 'deployment.log' order by id");
    const offsets = events.rows.map((event) => event.data.offset);
    assert.deepEqual(offsets, [undefined, 130, 200]);
    const texts = async (from: number) =>
      (await get(`/deployments/${id}/log?after=${from}`)).body.data.map((piece: Printed) => piece.text);
    assert.deepEqual(await texts(130), ["one\n", "two\n", "three\n"]);
    assert.deepEqual(await texts(200), ["three\n"]);
  });

  /** A deployment that has printed these texts, each stored by itself, as its follower stores them. */
  async function stored(...texts: string[][]): Promise<number> {
    const id = await running();
    await startRuns(stage);
    const run = await findRun(stage.pool, Number((await findRow(stage, id)).run_id));
    const kinds = new Map(deploymentRunKinds(stage.ctx).map((kind) => [kind.kind, kind]));
    assert.ok(run);
    for (const [number, together] of texts.entries()) {
      const entries = together.map((text, at): Entry => {
        return { type: "output", bytes: Buffer.from(text), offset: number * 1_000_000 + at * 100_000 };
      });
      const update = { entries, consumed: 1_000_000, offset: number * 1_000_000 };
      await applyUpdate(
        { pool: stage.pool, kinds },
        parseUpdate(run, update, 0, (bytes) => bytes),
      );
    }
    return id;
  }

  describe("by line", () => {
    // Lines 1 to 100, line 101 in three pieces with the beginning of what follows, lines 102 to 250.
    const long = "=".repeat(70_000);
    let id: number;
    before(async () => {
      const [head, tail] = [linesOf(40, "first"), linesOf(60, "second")];
      id = await stored([head], [tail, long], [long, `${long}\n${linesOf(9, "after")}`], [linesOf(140, "last")]);
    });

    const page = async (query: string) => (await get(`/deployments/${id}/log?limit=1000000&${query}`)).body;
    const textOf = ({ data }: { data: Printed[] }) => data.map(({ text }) => text).join("");
    const all = async (): Promise<string[]> => textOf(await page("after=0")).split("\n");

    for (const [query, from, to] of [
      ["from_line=1&max_lines=3", 1, 3],
      ["from_line=40&max_lines=2", 40, 41],
      ["from_line=41&max_lines=60", 41, 100],
      ["from_line=101&max_lines=1", 101, 101],
      ["from_line=102&max_lines=3", 102, 104],
      ["from_line=100&max_lines=12", 100, 111],
      ["from_line=249", 249, 250],
      ["max_lines=500", 1, 250],
      ["before_line=3", 1, 2],
      ["before_line=103&max_lines=2", 101, 102],
      ["before_line=1", 1, 0],
      ["tail=5", 246, 250],
      ["tail=5000", 1, 250],
      ["from_line=251", 251, 250],
    ] as const) {
      it(`is read with ${query}`, async () => {
        const read = await page(query);
        const expected = (await all()).slice(from - 1, to);
        assert.equal(textOf(read), expected.map((line) => `${line}\n`).join(""));
        if (expected.length > 0) assert.equal(read.data[0].first_line, from);
        assert.equal(read.has_more, to < 250);
        assert.deepEqual([read.total_lines, read.total_bytes], [250, (await all()).join("\n").length]);
      });
    }

    it("is walked in pages to its end, and back", async () => {
      let forth = "";
      for (let line = 1; line <= 250; line += 7) forth += textOf(await page(`from_line=${line}&max_lines=7`));
      assert.equal(forth, (await all()).join("\n"));
      let back = "";
      for (let line = 251; line > 1; line -= 7) back = textOf(await page(`before_line=${line}&max_lines=7`)) + back;
      assert.equal(back, forth);
    });

    it("is followed from the last lines on, by offset", async () => {
      const { next } = await page("tail=3");
      assert.deepEqual((await page(`after=${next}`)).data, []);
    });

    it("is divided into the steps of the record", async () => {
      const { steps } = (await get(`/deployments/${id}`)).body;
      const [first, second] = steps;
      assert.deepEqual([first.first_line, first.lines], [1, 250]);
      assert.deepEqual([second.first_line, second.lines], [null, 0]);
      for (const key of ["phase", "started_at", "finished_at"]) assert.ok(key in first, key);
    });

    describe("is searched", () => {
      const search = async (query: string) => (await get(`/deployments/${id}/log/search?${query}`)).body;

      it("for a text in any case, with the number of each line", async () => {
        const { matches, total, next_line: next } = await search("q=FIRST%201");
        const expected = [1, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19];
        assert.deepEqual(
          [matches.map(({ text }: Printed) => text), total, next],
          [expected.map((at) => `first ${at}`), 11, null],
        );
        const lines = await all();
        for (const { line, text } of matches) assert.equal(lines[line - 1], text);
      });

      it("in pages", async () => {
        const pages = [];
        for (let from: number | null = 1; from !== null; ) {
          const { matches, total, next_line: next } = await search(`q=${encodeURIComponent(" ")}&from_line=${from}`);
          assert.equal(total, 249);
          pages.push(matches.map(({ line }: { line: number }) => line));
          from = next;
        }
        assert.deepEqual(
          pages.map(({ length }) => length),
          [100, 100, 49],
        );
        const found = pages.flat();
        assert.deepEqual(
          found,
          found.toSorted((one, other) => one - other),
        );
        assert.ok(!found.includes(101), "the long line has no space");
      });

      it("for characters that patterns give a meaning, and for what is not there", async () => {
        for (const text of ["%", "_", "first .", "\\", "(?i)first"]) {
          assert.equal((await search(`q=${encodeURIComponent(text)}`)).total, 0, text);
        }
      });

      it("showing the beginning of a line that is too long", async () => {
        const { matches } = await search("q====");
        assert.deepEqual(new Set(matches.map(({ line }: { line: number }) => line)), new Set([101]));
        assert.ok(matches.every(({ text }: Printed) => text.length === 1_000));
      });
    });

    it("ends with the lines that were asked for, where the others do not fit", async () => {
      for (const [query, last] of [
        ["tail=200", 250],
        ["before_line=151&max_lines=150", 150],
      ] as const) {
        const read = (await get(`/deployments/${id}/log?limit=1&${query}`)).body;
        const lines = textOf(read).split("\n").slice(0, -1);
        assert.deepEqual(lines, (await all()).slice(last - lines.length, last), query);
        assert.equal(read.data[0].first_line, last - lines.length + 1);
        assert.ok(lines.length < 150, query);
      }
    });

    it("begins at one place", async () => {
      for (const [query, name] of [
        ["after=0&tail=3", "tail"],
        ["from_line=2&before_line=9", "before_line"],
        ["after=0&max_lines=3", "max_lines"],
      ] as const) {
        const line = `GET /api/v1/deployments/${id}/log?${query}`;
        const { status, body } = await call(stage.app, line, { token: stage.cast.alice });
        assert.equal(status, 422);
        assert.match(body.errors[name], /only one of/);
      }
    });
  });

  it("ends with a line that is not complete yet", async () => {
    const id = await stored(["one\ntwo\n"], ["50 %"]);
    const { body } = await get(`/deployments/${id}/log?tail=1`);
    assert.equal(body.data.map(({ text }: Printed) => text).join(""), "two\n50 %");
    assert.equal(body.total_lines, 2);
  });

  it("is searched for one line", async () => {
    const id = await stored(["one\ntwo\n"]);
    const line = `GET /api/v1/deployments/${id}/log/search?q=one%0Atwo`;
    const { status, body } = await call(stage.app, line, { token: stage.cast.alice });
    assert.deepEqual([status, Object.keys(body.errors)], [422, ["q"]]);
  });

  it("is downloaded whole, as text in the order it was printed", async () => {
    const pieces = Array.from({ length: 200 }, (_, at): Printed => {
      return { audience: at % 50 === 0 ? "system" : "client", text: `${at}${"ü日🚢".repeat(5_000)}\n` };
    });
    const id = await printed(...pieces);
    const reply = await get(`/deployments/${id}/log.txt`);
    assert.match(String(reply.headers["content-type"]), /^text\/plain; charset=utf-8/);
    assert.ok(reply.text === pieces.map((piece) => piece.text).join(""));
  });

  it("is in the record up to a MiB, the beginning and the end, with a line of what is left out", async () => {
    const filler = `${"x".repeat(1023)}\n`.repeat(64);
    const pieces = Array.from(
      { length: 100 },
      (_, at): Printed => ({ audience: "client", text: `part ${at}\n${filler}` }),
    );
    const id = await printed({ audience: "system", text: "short\n" }, ...pieces);
    const { client_payload: lines, system_payload: system } = (await get(`/deployments/${id}`)).body.output;
    assert.deepEqual(system, ["short"]);
    const all = pieces.map((piece) => piece.text).join("");
    const at = lines.findIndex((line: string) => line.startsWith("["));
    const [head, tail] = [lines.slice(0, at), lines.slice(at + 1)].map((part) => `${part.join("\n")}\n`) as [
      string,
      string,
    ];
    assert.ok(all.startsWith(head) && all.endsWith(tail));
    assert.ok(head.length >= 256 * 1024 && tail.length >= 768 * 1024);
    assert.ok(head.length + tail.length < (1 << 20) + 2 * 70_000);
    const leftOut = (all.length - head.length - tail.length).toLocaleString("en-US");
    assert.equal(
      lines[at],
      `[${leftOut} bytes are left out here; /api/v1/deployments/${id}/log.txt has the whole log]`,
    );
  });

  it("cannot change what a terminal shows", () => {
    const hostile = "\x1b[2J\x1b]0;title\x07a\u009b1mb\x7f\rover\r\nnext\tcolumn\n";
    assert.equal(printable(hostile), "␛[2J␛]0;title␇a\ufffd1mb␡\nover\nnext\tcolumn\n");
  });

  it("of an old deployment is deleted in pieces, however long it is", async () => {
    const id = await running();
    const { run_id: runId } = await findRow(stage, id);
    await stage.pool.query(
      "insert into run_output (run_id, journal_offset, audience, text) select $1, n, 'client', 'x' from generate_series(1, 2500) n",
      [runId],
    );
    await finishRun(stage, id, "failed");
    await stage.pool.query("update runs set ended_at = now() - interval '31 days' where id = $1", [runId]);
    await periodicTask(stage.ctx, "delete-old-logs").work(new AbortController().signal);
    const { data, is_complete } = (await get(`/deployments/${id}/log`)).body;
    assert.deepEqual([data, is_complete], [[], true]);
  });
});
