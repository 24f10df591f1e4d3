import assert from "node:assert/strict";
import { test } from "node:test";
import { withDeadline } from "../deadline.ts";

const never = new Promise<never>(() => {});

test("returns the result of work that ends in time, and its failure", async () => {
  assert.equal(await withDeadline(60_000, Promise.resolve(1), assert.fail), 1);
  await assert.rejects(withDeadline(60_000, Promise.reject(new Error("no")), assert.fail), /^Error: no$/);
});

test("returns or throws what the caller wants when the work takes longer", async () => {
  assert.equal(await withDeadline(1, never, () => undefined), undefined);
  const late = () => {
    throw new Error("late");
  };
  await assert.rejects(withDeadline(1, never, late), /^Error: late$/);
});
