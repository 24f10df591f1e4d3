import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { DueQueue } from "../checks/due.ts";

interface Item {
  name: string;
  dueAt: number;
  canWait: boolean;
}

const item = (name: string, { canWait = false } = {}): Item => ({ name, dueAt: 0, canWait });
const [a, b, c, d] = [item("a"), item("b"), item("c"), item("d")];

const start = Date.UTC(2026, 2, 1, 12);
let queue: DueQueue<Item>;

beforeEach(() => {
  queue = new DueQueue<Item>(({ canWait }) => canWait);
});

/** Names of the items, up to `most`, that `next` returns at a time after the start. */
function take(afterMs: number, most = Number.POSITIVE_INFINITY): string[] {
  const names: string[] = [];
  while (names.length < most) {
    const next = queue.next(start + afterMs);
    if (next === undefined) break;
    names.push(next.name);
  }
  return names;
}

function collectAndTake(afterMs: number, most?: number): string[] {
  queue.collect(start + afterMs);
  return take(afterMs, most);
}

describe("the queue of due items", () => {
  it("returns each item once, and not before it is due", () => {
    queue.plan(a, start + 1_000);
    assert.deepEqual(collectAndTake(900), []);
    assert.deepEqual(collectAndTake(1_000), ["a"]);
    assert.deepEqual(collectAndTake(60_000), []);
  });

  it("returns items in the order of their times, whichever was planned first", () => {
    queue.plan(c, start + 3_000);
    queue.plan(a, start + 1_000);
    queue.plan(b, start + 2_000);
    assert.deepEqual(collectAndTake(5_000), ["a", "b", "c"]);
  });

  it("returns an overdue item at the next call", () => {
    collectAndTake(10_000);
    queue.plan(a, start + 2_000);
    assert.deepEqual(take(10_000), []);
    assert.deepEqual(collectAndTake(10_000), ["a"]);
  });

  it("returns items that were not taken before later ones", () => {
    queue.plan(a, start + 100);
    queue.plan(b, start + 200);
    queue.plan(c, start + 1_000);
    assert.deepEqual(collectAndTake(200, 1), ["a"]);
    assert.deepEqual(collectAndTake(1_000), ["b", "c"]);
  });

  it("returns a rescheduled item only at its new time", () => {
    queue.plan(a, start + 1_000);
    queue.plan(a, start + 5_000);
    queue.plan(b, start + 5_000);
    queue.plan(b, start + 2_000);
    assert.deepEqual(collectAndTake(1_000), []);
    assert.deepEqual(collectAndTake(2_000), ["b"]);
    queue.plan(b, start + 60_000);
    assert.deepEqual(collectAndTake(5_000), ["a"]);
  });

  it("returns an item once if it was planned twice, and not if it was removed", () => {
    queue.plan(a, start + 1_000);
    queue.plan(a, start + 1_010);
    queue.plan(b, start + 1_000);
    queue.remove(b);
    assert.deepEqual(collectAndTake(2_000), ["a"]);
  });

  it("skips a collected item that was rescheduled for later", () => {
    queue.plan(a, start + 100);
    queue.plan(b, start + 200);
    queue.collect(start + 200);
    queue.plan(b, start + 9_000);
    assert.deepEqual(take(200), ["a"]);
    assert.deepEqual(collectAndTake(9_000), ["b"]);
  });

  it("returns items that can wait last", () => {
    const [first, second] = [item("first", { canWait: true }), item("second", { canWait: true })];
    queue.plan(first, start + 100);
    queue.plan(second, start + 200);
    queue.plan(a, start + 300);
    assert.deepEqual(collectAndTake(300, 2), ["a", "first"]);
    queue.plan(d, start + 400);
    assert.deepEqual(collectAndTake(400), ["d", "second"]);
  });

  it("returns everything after the clock jumps ahead, and works after it jumps back", () => {
    queue.plan(a, start + 100);
    const yearMs = 365 * 86_400_000;
    assert.deepEqual(collectAndTake(yearMs), ["a"]);
    queue.plan(b, start + 100);
    assert.deepEqual(collectAndTake(100), ["b"]);
  });
});
