import assert from "node:assert/strict";
import { it } from "node:test";
import { serializeByKey } from "../serialize.ts";

it("does work of one key in the order asked for, and that of others beside it", async () => {
  const inTurn = serializeByKey<string>(() => 1);
  const done: string[] = [];
  const [gate, open] = gated();
  const first = inTurn("a", async () => {
    await gate;
    done.push("first");
  });
  const second = inTurn("a", async () => void done.push("second"));
  const third = inTurn("a", async () => void done.push("third"));
  await inTurn("b", async () => void done.push("other"));
  assert.deepEqual(done, ["other"]);
  open();
  await Promise.all([first, second, third]);
  assert.deepEqual(done, ["other", "first", "second", "third"]);
});

it("refuses a caller who waited too long, and keeps the order of the others", async () => {
  const inTurn = serializeByKey<string>(() => 0, 50);
  const done: string[] = [];
  const [gate, open] = gated();
  const first = inTurn("a", () => gate);
  const second = inTurn("a", async () => void done.push("second"));
  await assert.rejects(second, { code: "unavailable", message: /Try again in a moment/ });
  const third = inTurn("a", async () => void done.push("third"));
  assert.deepEqual(done, []);
  open();
  await Promise.all([first, third]);
  assert.deepEqual(done, ["third"]);
});

it("answers what the work answers, fails as it fails, and continues", async () => {
  const inTurn = serializeByKey<string>(() => 0);
  await assert.rejects(
    inTurn("a", () => Promise.reject(new Error("no"))),
    /no/,
  );
  assert.equal(await inTurn("a", async () => 7), 7);
});

it("rests after the work, by how long it took", async () => {
  const rests: number[] = [];
  const inTurn = serializeByKey<string>((tookMs) => {
    rests.push(tookMs);
    return 20;
  });
  const endedAt = await inTurn("a", async () => performance.now());
  const begunAt = await inTurn("a", async () => performance.now());
  assert.ok(begunAt - endedAt >= 18, "timers may be a millisecond early");
  assert.ok(rests.length >= 1 && rests.every((tookMs) => tookMs >= 0));
});

it("returns the answer before it rests", async () => {
  assert.equal(await serializeByKey<string>(() => 2 ** 31 - 1)("a", async () => "done"), "done");
});

function gated(): [Promise<void>, () => void] {
  const { promise, resolve } = Promise.withResolvers<void>();
  return [promise, resolve];
}
