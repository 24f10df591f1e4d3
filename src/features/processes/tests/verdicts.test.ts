import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { firstMemory, isForgettable, judge, type Memory, type ProcessCheck } from "../verdicts.ts";

const minute = 60_000;

/** Checks a minute apart: the restarts of each unit by then; null: a deployment is under way. */
function changesOf(...checks: (Record<string, number> | null | "gap")[]): string[] {
  let memory: Memory | undefined;
  let at = 0;
  return checks.flatMap((each) => {
    at += each === "gap" ? 60 * minute : minute;
    if (each === "gap") return [];
    const units = Object.entries(each ?? {}).map(([instance, restarts]) => ({ instance, restarts, isActive: true }));
    const check: ProcessCheck = { at, units, isDeploying: each === null };
    if (!memory) {
      memory = firstMemory(check);
      return [];
    }
    const verdict = judge(memory, check);
    memory = verdict.memory;
    return verdict.change ? [`${verdict.change} at ${at / minute}`] : [];
  });
}

const quiet = (restarts: number, checks: number) => Array.from({ length: checks }, () => ({ 20000: restarts }));

describe("a crash loop", () => {
  it("begins with five restarts within ten minutes, once, and ends after five minutes without one", () => {
    assert.deepEqual(changesOf({ 20000: 30 }, { 20000: 90 }, { 20000: 150 }, ...quiet(150, 6)), [
      "began at 2",
      "ended at 8",
    ]);
    const slow = [1, 2, 3, 4, 5, 6, 7].map((restarts) => ({ 20000: restarts }));
    assert.deepEqual(changesOf(...slow), ["began at 6"]);
  });

  it("is not what happened before the first check, or over a long time", () => {
    assert.deepEqual(changesOf(...quiet(1_000, 8)), []);
    const hourly = Array.from({ length: 20 }, (_, at) => [...quiet(at, 9)]).flat();
    assert.deepEqual(changesOf(...hourly), []);
    assert.deepEqual(changesOf({ 20000: 1 }, "gap", { 20000: 50 }, { 20000: 51 }), []);
  });

  it("is counted over all processes, and from zero when a unit was started on purpose", () => {
    assert.deepEqual(changesOf({ 1: 2, 2: 1 }, { 1: 4, 2: 2 }, { 1: 5, 2: 3 }), ["began at 3"]);
    assert.deepEqual(changesOf({ 20000: 50 }, { 20000: 3 }, { 20000: 3 }), []);
    assert.deepEqual(changesOf({ 20000: 1 }, { 20001: 4 }, { 20001: 5 }), ["began at 3"]);
  });

  it("does not begin or end by a deployment, or while the server cannot be asked", () => {
    assert.deepEqual(changesOf({ 20000: 1 }, null, { 20001: 2 }, { 20001: 2 }), []);
    assert.deepEqual(changesOf({ 1: 1 }, { 1: 50 }, null, null, null, null, null, null, null), ["began at 2"]);
    assert.deepEqual(changesOf({ 1: 1 }, { 1: 50 }, "gap", { 1: 50 }, { 1: 50 }), ["began at 2"]);
    assert.deepEqual(changesOf({ 1: 1 }, { 1: 50 }, null, {}, {}, {}, {}, {}), ["began at 2", "ended at 8"]);
  });

  it("has not ended while a process does not run", () => {
    const looping = { ...firstMemory({ at: 0, units: [], isDeploying: false }), isLooping: true };
    const units = [{ instance: "1", restarts: 7, isActive: false }];
    const memory = { ...looping, counts: { 1: 7 }, checkedAt: 9 * minute };
    assert.equal(judge(memory, { at: 10 * minute, units, isDeploying: false }).change, undefined);
    const running = units.map((unit) => ({ ...unit, isActive: true }));
    assert.equal(judge(memory, { at: 10 * minute, units: running, isDeploying: false }).change, "ended");
  });

  it("leaves nothing to remember when it is over and the unit was started on purpose", () => {
    const memory = firstMemory({ at: 0, units: [{ instance: "1", restarts: 2, isActive: true }], isDeploying: false });
    assert.ok(!isForgettable(memory));
    assert.ok(isForgettable(judge(memory, { at: minute, units: [], isDeploying: false }).memory));
  });
});
