import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Failure } from "../src/failure.ts";
import { Contact } from "../src/follow/contact.ts";
import { type Piece, Progress, type ProgressView, type StreamedStep } from "../src/follow/progress.ts";
import { deploymentIdsOf } from "../src/follow/request.ts";

/** Writes down what is shown. */
function recorder() {
  const shown: string[] = [];
  const view: ProgressView = {
    waiting: (message) => shown.push(`waits: ${message}`),
    begin: ({ key }) => shown.push(`> ${key}`),
    line: (line) => shown.push(line),
    end: ({ key, status }) => shown.push(`< ${key} ${status}`),
    note: (sentence) => shown.push(`note: ${sentence}`),
    close: () => shown.push("closed"),
  };
  return { shown, view };
}

const step = (index: number, status: StreamedStep["status"], lines = 0, first = 1): StreamedStep => ({
  index,
  key: `step-${index}`,
  label: `Step ${index}`,
  status,
  duration_ms: 5,
  detail: null,
  first_line: lines === 0 ? null : first,
  lines,
});

const piece = (index: number, offset: number, first_line: number, text: string): Piece => ({
  offset,
  first_line,
  step: `step-${index}`,
  audience: "client",
  text,
});

describe("progress", () => {
  it("shows the end of a step after its last line, although its state arrives before", () => {
    const { shown, view } = recorder();
    const progress = new Progress(view);
    progress.step(step(0, "running"));
    progress.log(piece(0, 10, 1, "one\n"));
    progress.step(step(0, "completed", 3));
    progress.step(step(1, "running"));
    assert.deepEqual(shown, ["> step-0", "one"]);
    progress.log(piece(0, 20, 2, "two\nthree\n"));
    assert.deepEqual(shown, ["> step-0", "one", "two", "three", "< step-0 completed", "> step-1"]);
  });

  it("shows nothing twice when a stream begins again", () => {
    const { shown, view } = recorder();
    const progress = new Progress(view);
    for (let connection = 0; connection < 3; connection++) {
      progress.step(step(0, "completed", 2));
      progress.log(piece(0, 10, 1, "one\n"));
      progress.log(piece(0, 20, 2, "two\n"));
      progress.step(step(1, "running"));
    }
    assert.equal(progress.lastEventId, "20");
    assert.deepEqual(shown, ["> step-0", "one", "two", "< step-0 completed", "> step-1"]);
  });

  it("puts parts of a line together, leaves out skipped steps, and keeps the last lines of the step that failed", () => {
    const { shown, view } = recorder();
    const progress = new Progress(view);
    progress.step(step(0, "skipped"));
    progress.step(step(1, "running"));
    progress.log(piece(1, 10, 1, "a long "));
    progress.log(piece(1, 20, 1, `line\n${"x\n".repeat(60)}last\n`));
    progress.step(step(1, "failed", 62));
    const tail = progress.close();
    assert.equal(shown[1], "a long line");
    assert.deepEqual(shown.slice(-3), ["last", "< step-1 failed", "closed"]);
    assert.equal(tail.length, 40);
    assert.equal(tail.at(-1), "last");
  });
});

describe("contact", () => {
  const clock = () => {
    let nowMs = 0;
    const notes: string[] = [];
    const contact = (timeoutMs?: number) =>
      new Contact({
        ...{ url: "https://panel.example.com", howToContinue: "Watch: it", timeoutMs },
        note: (line) => notes.push(line),
        now: () => nowMs,
        wait: async (ms) => {
          nowMs += ms;
        },
      });
    return { notes, contact, now: () => nowMs };
  };

  it("that is lost is reported once after 10 s, and given up after 15 minutes", async () => {
    const { notes, contact, now } = clock();
    const lost = contact();
    const failure = await (async () => {
      for (;;) await lost.lost("no answer");
    })().catch((error: unknown) => error);
    assert.ok(failure instanceof Failure);
    assert.equal(failure.status, 7);
    assert.match(failure.message, /15 minutes.*Watch: it/);
    assert.ok(now() >= 900_000 && now() < 940_000, `${now()} ms`);
    assert.equal(notes.length, 1);
  });

  it("that comes back is reported, and lasts for ever with losses in between", async () => {
    const { notes, contact, now } = clock();
    const unsteady = contact();
    for (let loss = 0; loss < 500; loss++) {
      for (let attempt = 0; attempt < 6; attempt++) await unsteady.lost("reset");
      unsteady.made();
      unsteady.works();
    }
    assert.ok(now() > 900_000);
    assert.equal(
      notes.filter((note) => note.startsWith("No contact")).length,
      notes.filter((note) => note.includes("again.")).length,
    );
  });

  it("ends at the time that was given", async () => {
    const { contact, now } = clock();
    const limited = contact(5_000);
    await assert.rejects(
      (async () => {
        for (;;) await limited.lost("reset");
      })(),
      (error: Failure) => error.status === 7 && /within 5.0 s/.test(error.message),
    );
    assert.ok(now() <= 5_001);
  });
});

describe("the ids of an answer", () => {
  it("are also found in the one that replaces a lost answer", () => {
    assert.deepEqual(deploymentIdsOf({ deployment_ids: [1, 2] }), [1, 2]);
    assert.deepEqual(deploymentIdsOf({ deployment_id: 3 }), [3]);
    assert.deepEqual(deploymentIdsOf({ records: ["project:5", "deployment:12", "deployment:13"] }), [12, 13]);
  });
});
