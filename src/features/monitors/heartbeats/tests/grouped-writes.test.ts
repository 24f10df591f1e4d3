import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { GroupedWrites, type GroupLimits } from "../grouped-writes.ts";

const limits: GroupLimits = { waitMs: 1, groupSize: 10, writers: 1, entries: 20, bytes: 1_000 };
// Groups are written when they are full, however slow the machine is.
const filledGroups: GroupLimits = { ...limits, waitMs: 60_000 };

/** Writes that end when the test lets them. */
function held() {
  const groups: { entries: readonly number[]; end: (known: boolean[] | Error) => void }[] = [];
  const write = (entries: readonly number[]) =>
    new Promise<boolean[]>((resolve, reject) => {
      const end = (known: boolean[] | Error) => (known instanceof Error ? reject(known) : resolve(known));
      groups.push({ entries, end });
    });
  return { groups, write };
}

const until = async (isIt: () => boolean): Promise<void> => {
  while (!isIt()) await new Promise((resolve) => setImmediate(resolve));
};

const refused = Object.assign(new Error("a check"), { code: "23514" });

describe("grouped writes", () => {
  test("are written one group at a time, and answered after their group", async () => {
    const { groups, write } = held();
    const writes = new GroupedWrites(write, { ...filledGroups, groupSize: 3 });
    const first = [1, 2, 3].map((entry) => writes.add(entry, 1));
    await until(() => groups.length === 1);
    const later = [4, 5, 6].map((entry) => writes.add(entry, 1));
    let isAnswered = false;
    void Promise.race(first).then(() => {
      isAnswered = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual([groups.length, isAnswered], [1, false], "nothing is answered and nothing else is written before");
    groups[0]?.end([true, false, true]);
    assert.deepEqual(await Promise.all(first), [true, false, true]);
    await until(() => groups.length === 2);
    assert.deepEqual(groups[1]?.entries, [4, 5, 6]);
    groups[1]?.end([true, true, true]);
    await Promise.all(later);
  });

  test("are written immediately when a group is full", async () => {
    const { groups, write } = held();
    const writes = new GroupedWrites(write, filledGroups);
    const all = Array.from({ length: 10 }, (_, at) => writes.add(at, 1));
    await until(() => groups.length === 1);
    groups[0]?.end(Array.from({ length: 10 }, () => true));
    await Promise.all(all);
  });

  test("are refused while too many wait", async () => {
    const { groups, write } = held();
    const writes = new GroupedWrites(write, filledGroups);
    const all = Array.from({ length: 20 }, (_, at) => writes.add(at, 1));
    const refusal = { code: "unavailable", headers: { "Retry-After": "1" } };
    assert.throws(() => writes.add(21, 1), refusal);
    for (const at of [0, 1]) {
      await until(() => groups.length > at);
      groups[at]?.end(Array.from({ length: 10 }, () => true));
    }
    await Promise.all(all);
    const big = writes.add(1, 999);
    assert.throws(() => writes.add(2, 2), refusal, "bytes are bounded as well");
    const closed = writes.close();
    assert.deepEqual(groups[2]?.entries, [1]);
    groups[2]?.end([true]);
    assert.equal(await big, true);
    await closed;
  });

  test("are written one by one when the database refuses their group", async () => {
    const write = async (entries: readonly number[]) => {
      if (entries.includes(2)) throw refused;
      return entries.map(() => true);
    };
    const writes = new GroupedWrites(write, limits);
    const results = await Promise.allSettled([1, 2, 3].map((entry) => writes.add(entry, 1)));
    assert.deepEqual(
      results.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled"],
    );
  });

  test("fail together when the database does not respond, and make room for the next", async () => {
    let isAway = true;
    const writes = new GroupedWrites<number>(async (entries) => {
      if (isAway) throw new Error("connection terminated");
      return entries.map(() => true);
    }, limits);
    const results = await Promise.allSettled(Array.from({ length: 20 }, (_, at) => writes.add(at, 50)));
    assert.ok(results.every(({ status }) => status === "rejected"));
    isAway = false;
    assert.equal(await writes.add(1, 1_000), true);
  });

  test("are all written before the end of close", async () => {
    const written: number[] = [];
    const writes = new GroupedWrites<number>(async (entries) => {
      written.push(...entries);
      return entries.map(() => true);
    }, filledGroups);
    const pending = writes.add(1, 1);
    await writes.close();
    assert.equal(await pending, true);
    assert.deepEqual(written, [1]);
  });
});
