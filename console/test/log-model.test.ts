import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { groupsOf, isOpen, type LogStep, mergeSteps } from "../src/parts/log-view/groups.ts";
import { hashOf, parseLines } from "../src/parts/log-view/line-hash.ts";
import { marked, plainText, spansOf, styleBefore } from "../src/parts/log-view/line-text.ts";
import { LogPages } from "../src/parts/log-view/pages.ts";
import { lastSegment, reveal, rowsOf, segmentLines } from "../src/parts/log-view/rows.ts";

const esc = "\u001b";
const piece = (first_line: number, text: string, offset = first_line) => ({ first_line, text, offset });
const lines = (from: number, count: number, text = (line: number) => `line ${line}`) =>
  Array.from({ length: count }, (_, at) => `${text(from + at)}\n`).join("");

describe("the pages of a log", () => {
  it("keep 40 pages of a log of 1.2 million lines, those that were used last", () => {
    const pages = new LogPages();
    pages.setTotal(1_200_000);
    for (let first = 1; first <= 1_200_000; first += 500) {
      pages.takeReply([piece(first, lines(first, 500))]);
      pages.use(1, 500);
    }
    assert.equal(pages.total, 1_200_000);
    assert.equal(pages.held.pages, 40);
    assert.equal(pages.line(1), "line 1");
    assert.equal(pages.line(1_200_000), "line 1200000");
    assert.equal(pages.line(600_000), undefined);
  });

  it("keep the beginning of a line of 10 MB, which comes in parts, and the line after it", () => {
    const pages = new LogPages();
    const parts = Array.from({ length: 160 }, (_, at) =>
      piece(2, `${at === 159 ? "end\nafter\n" : "x".repeat(65_536)}`, 10 + at),
    );
    pages.takeReply([piece(1, "before\n"), ...parts]);
    assert.equal(pages.line(1), "before");
    assert.match(pages.line(2) ?? "", /^x{8192} … \(cut/);
    assert.equal(pages.line(3), "after");
    assert.ok(pages.held.characters < 10_000);
  });

  it("keep less of pages whose lines are long", () => {
    const pages = new LogPages();
    for (let first = 1; first <= 20_000; first += 500)
      pages.takeReply([
        piece(
          first,
          lines(first, 500, () => "é".repeat(6_000)),
        ),
      ]);
    assert.ok(pages.held.characters <= 16_000_000, `${pages.held.characters}`);
  });

  it("never cut a character in two", () => {
    const pages = new LogPages();
    pages.takeReply([piece(1, `${"x".repeat(8_191)}😀${"y".repeat(9_000)}\n`)]);
    assert.ok(pages.line(1)?.isWellFormed());
    assert.match(pages.line(1) ?? "", /x … \(cut/);
  });

  it("join what comes in parts: letters, colours and emoji", () => {
    const pages = new LogPages();
    for (const [at, text] of ["a ", `${esc}[3`, "1mred", `${esc}[0m café`, " 😀\nnext\n"].entries())
      pages.takeLive(piece(1, text, 5 + at));
    assert.equal(pages.line(1), `a ${esc}[31mred${esc}[0m café 😀`);
    assert.equal(pages.line(2), "next");
  });

  it("take no live piece twice, and lose none", () => {
    const pages = new LogPages();
    const sent = [piece(1, "one\n", 3), piece(2, "two\n", 9), piece(3, "three\n", 12)];
    for (const each of [...sent.slice(0, 2), ...sent.slice(1), ...sent]) pages.takeLive(each);
    assert.deepEqual(
      [1, 2, 3, 4].map((line) => pages.line(line)),
      ["one", "two", "three", undefined],
    );
    assert.equal(pages.total, 3);
  });

  it("continue a reply that ended in the middle of a line", () => {
    const pages = new LogPages();
    const { last, isWhole } = pages.takeReply([piece(7, "begun ")]);
    assert.deepEqual([last, isWhole], [7, false]);
    pages.continueLine(last);
    pages.takeLive(piece(7, "ended\n", 20));
    assert.equal(pages.line(7), "begun ended");
  });

  it("know what is missing", () => {
    const pages = new LogPages();
    pages.setTotal(1_000);
    assert.equal(pages.findMissing(1, 500), 1);
    pages.takeReply([piece(1, lines(1, 300))]);
    assert.equal(pages.findMissing(1, 500), 301);
    assert.equal(pages.findMissing(990, 2_000), 990);
    assert.equal(pages.findMissing(1_001, 2_000), undefined);
  });
});

describe("the text of a line", () => {
  const text = (raw: string) =>
    spansOf(raw)
      .map((span) => span.text)
      .join("");

  it("has the 16 colours as classes, and ends them", () => {
    assert.deepEqual(spansOf(`a${esc}[31mb${esc}[0mc`), [
      { text: "a", className: "" },
      { text: "b", className: "text-a1" },
      { text: "c", className: "" },
    ]);
    assert.deepEqual(spansOf(`${esc}[1;92mok${esc}[m`), [{ text: "ok", className: "text-a2 font-medium" }]);
    assert.deepEqual(spansOf(`${esc}[37;41mFAIL`), [{ text: "FAIL", className: "bg-a1 text-(color:--log)" }]);
  });

  it("has the nearest of them for 256 and 16 million colours", () => {
    assert.equal(spansOf(`${esc}[38;5;196mx`)[0]?.className, "text-a1");
    assert.equal(spansOf(`${esc}[38;5;244mx`)[0]?.className, "text-a7");
    assert.equal(spansOf(`${esc}[38;2;20;200;90mx`)[0]?.className, "text-a2");
    assert.equal(spansOf(`${esc}[38;2;999;0;0mx`)[0]?.className, "");
  });

  it("keeps the last state of a line that was written again", () => {
    assert.equal(text("10 %\r50 %\r100 %"), "100 %");
    assert.equal(text("done\r"), "done");
    assert.equal(text(`a${esc}[2K${esc}[1Gb`), "b");
    assert.equal(text("\r\r"), "");
  });

  it("shows other control characters as pictures, and what reorders text by its code", () => {
    assert.equal(text("a\u0000b\u0007c\u007fd\u009be\tf"), "a␀b␇c␡d\ufffde\tf");
    assert.equal(text("x\u202ey\u2066z\u2028"), "x[U+202E]y[U+2066]z[U+2028]");
    assert.equal(text(`${esc}X`), "␛X");
  });

  it("drops what only a terminal understands", () => {
    assert.equal(text(`${esc}[?25l${esc}[2J${esc}]0;title\u0007a${esc}(B${esc}[12;40Hb`), "ab");
    assert.equal(text(`${esc}]8;;javascript:alert(1)${esc}\\click${esc}]8;;${esc}\\`), "click");
    assert.equal(plainText(`${esc}[31mred${esc}[0m`), "red");
  });

  it("links http and https only", () => {
    const hrefs = (raw: string) => spansOf(raw).flatMap(({ href }) => href ?? []);
    assert.deepEqual(hrefs("see https://example.com/a?b=1, or (http://x.test)."), [
      "https://example.com/a?b=1",
      "http://x.test/",
    ]);
    assert.deepEqual(hrefs("javascript:alert(1) data:text/html,x ftp://x file:///etc/passwd http://"), []);
    assert.deepEqual(hrefs(`https://a.test/${esc}[31mred`), ["https://a.test/"]);
  });

  it("never is markup", () => {
    assert.equal(text("<img src=x onerror=alert(1)>&amp;"), "<img src=x onerror=alert(1)>&amp;");
  });

  it("is whole also of what was made to be slow", () => {
    const hostile = [
      `${esc}[`.repeat(4_000),
      `${esc}]`.repeat(4_000),
      `${esc}[1m`.repeat(2_000),
      "http://".repeat(1_100),
      "\r".repeat(8_000),
    ];
    for (const raw of hostile) {
      const shown = marked(spansOf(raw), "x").map((span) => span.text);
      assert.equal(shown.join(""), plainText(raw));
    }
  });

  it("continues the colour of the lines before it, as far as they are of its step", () => {
    const log = ["", `${esc}[31mred`, "still", `x${esc}[0m`, "plain"];
    const style = (line: number, first = 1) => styleBefore(line, first, (at) => log[at]);
    assert.equal(spansOf("still", style(2))[0]?.className, "text-a1");
    assert.equal(style(4), "");
    assert.equal(style(2, 2), "");
  });

  it("marks what was searched for, in any case and across colours", () => {
    const spans = marked(spansOf(`an ${esc}[31mErr${esc}[0mor, error`), "error");
    assert.deepEqual(
      spans.filter(({ isMatch }) => isMatch).map((span) => span.text),
      ["Err", "or", "error"],
    );
    assert.equal(spans.map((span) => span.text).join(""), "an Error, error");
    assert.deepEqual(marked(spansOf("abc"), "x"), spansOf("abc"));
  });
});

const step = (key: string, more: Partial<LogStep> = {}): LogStep => ({
  key,
  label: key,
  status: "completed",
  detail: null,
  started_at: null,
  finished_at: null,
  duration_ms: 1,
  ...more,
});

describe("the steps of a log", () => {
  const steps = [
    step("clone", { first_line: 3, lines: 2 }),
    step("quiet", { first_line: null, lines: 0 }),
    step("build", { first_line: 5, lines: 10, status: "failed", detail: "npm failed." }),
    step("later", { status: "pending", first_line: null, lines: 0 }),
  ];
  const groups = groupsOf(steps, 20, true);
  const shown = { groups, total: 20, chosen: new Map<number, boolean>(), segment: 0, isComplete: true };

  it("are groups of the lines that they printed; what has not begun is none", () => {
    assert.deepEqual(
      groups.map(({ key, from, to, lastOwn }) => [key, from, to, lastOwn]),
      [
        ["clone", 3, 4, 4],
        ["quiet", undefined, undefined, undefined],
        ["build", 5, 20, 14],
      ],
    );
  });

  it("are folded when they are done, and open with the reason when they have failed", () => {
    const rows = rowsOf(shown);
    const kinds = Array.from({ length: rows.count }, (_, index) => rows.at(index).kind);
    assert.deepEqual(kinds.slice(0, 6), ["line", "line", "group", "group", "group", "reason"]);
    assert.deepEqual(kinds.slice(6), [...Array(16).fill("line"), "end"]);
    assert.equal(rows.indexOf(3), undefined);
    assert.deepEqual(rows.at(rows.indexOf(14) ?? 0), { kind: "line", line: 14 });
  });

  it("stay open while the next one has printed nothing, until the log is complete", () => {
    const both = [step("clone", { first_line: 1 }), step("build", { first_line: null, status: "running" })];
    const open = (given: LogStep[], isComplete: boolean) =>
      groupsOf(given, 4, isComplete).map((group) => isOpen(group, new Map()));
    assert.deepEqual(open(both, false), [true, true]);
    assert.deepEqual(open([step("clone", { first_line: 1 }), step("build", { first_line: 3 })], false), [false, true]);
    assert.deepEqual(open([step("clone", { first_line: 1 })], true), [false]);
    const folded = new Map([[0, false]]);
    assert.deepEqual(
      groupsOf(both, 4, false).map((group) => isOpen(group, folded)),
      [false, true],
    );
  });

  it("open for a line that is linked", () => {
    const { chosen } = reveal(4, shown);
    const rows = rowsOf({ ...shown, chosen });
    assert.deepEqual(rows.at(rows.indexOf(4) ?? 0), { kind: "line", line: 4 });
  });

  it("are those of the record with what the stream has sent since", () => {
    const recorded = [step("clone", { first_line: 1 }), step("build", { status: "pending" })];
    const live = new Map([
      [0, step("clone", { status: "running" })],
      [1, step("build", { status: "running" })],
      [2, step("check", { status: "running" })],
    ]);
    const merged = mergeSteps(recorded, live, [
      { key: "build", line: 9 },
      { key: "clone", line: 30 },
    ]);
    assert.deepEqual(
      merged.map(({ key, status, first_line }) => [key, status, first_line]),
      [
        ["clone", "completed", 1],
        ["build", "running", 9],
        ["check", "running", undefined],
      ],
    );
    assert.deepEqual(
      groupsOf(merged, 12, false).map((group) => isOpen(group, new Map())),
      [false, true, true],
    );
    assert.equal(recorded[1]?.first_line, undefined);
  });

  it("have all lines so far while they run, not those of when the record was read", () => {
    const recorded = [step("clone", { status: "running", first_line: 1, lines: 1 })];
    const ended = new Map([[0, step("clone", {})]]);
    for (const live of [new Map<number, LogStep>(), ended])
      assert.equal(groupsOf(mergeSteps(recorded, live, []), 3, false)[0]?.lastOwn, 3);
  });
});

describe("the rows of 1.2 million lines", () => {
  const total = 1_200_000;
  const groups = groupsOf(
    [step("a", { first_line: 1, lines: 10 }), step("build", { first_line: 11, lines: total - 10, status: "failed" })],
    total,
    true,
  );
  const rowsIn = (segment: number) => rowsOf({ groups, total, chosen: new Map(), segment, isComplete: true });

  it("come in segments with what is earlier and later", () => {
    assert.equal(lastSegment(total), 2);
    const [first, second, last] = [0, 1, 2].map(rowsIn);
    assert.ok(first && second && last);
    assert.deepEqual(first.at(first.count - 1), { kind: "later" });
    assert.deepEqual(second.at(0), { kind: "earlier" });
    assert.deepEqual([second.at(1).kind, second.at(2)], ["group", { kind: "line", line: segmentLines + 1 }]);
    assert.equal(second.count, segmentLines + 3);
    assert.deepEqual(last.at(last.count - 1), { kind: "end" });
    assert.ok(first.count * 18 < 17_800_000);
  });

  it("have each line in the segment that a link opens", () => {
    for (const line of [11, segmentLines, segmentLines + 1, 777_777, total]) {
      const rows = rowsIn(reveal(line, { groups, chosen: new Map() }).segment);
      assert.deepEqual(rows.at(rows.indexOf(line) ?? 0), { kind: "line", line });
    }
  });
});

describe("lines in the address", () => {
  it("are one or several", () => {
    assert.deepEqual(parseLines("#L120"), { from: 120, to: 120 });
    assert.deepEqual(parseLines("#L120-140"), { from: 120, to: 140 });
    assert.deepEqual(parseLines("#L140-L120"), { from: 120, to: 140 });
    assert.equal(hashOf({ from: 120, to: 140 }), "#L120-140");
    assert.equal(hashOf({ from: 7, to: 7 }), "#L7");
  });

  it("are none for anything else", () => {
    for (const hash of ["", "#", "#L", "#L0", "#Lx", "#L1-", "#L-5", "#L99999999999", "#top"])
      assert.equal(parseLines(hash), undefined, hash);
  });
});
