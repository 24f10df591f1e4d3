import assert from "node:assert/strict";
import { it } from "node:test";
import { memoize } from "../memoize.ts";

it("answers from memory what was asked last, and forgets what was not asked for longest", () => {
  const asked: number[] = [];
  const double = memoize(2, ({ n }: { n: number }) => {
    asked.push(n);
    return n * 2;
  });
  assert.deepEqual(
    [1, 2, 1, 2].map((n) => double({ n })),
    [2, 4, 2, 4],
  );
  assert.deepEqual(asked, [1, 2]);
  assert.equal(double({ n: 1 }), 2);
  assert.equal(double({ n: 3 }), 6);
  assert.equal(double({ n: 1 }), 2);
  assert.deepEqual(asked, [1, 2, 3], "the first was asked again since");
  assert.equal(double({ n: 2 }), 4);
  assert.deepEqual(asked, [1, 2, 3, 2]);
});

it("remembers also that there is nothing", () => {
  let count = 0;
  const nothing = memoize(1, () => {
    count += 1;
  });
  assert.deepEqual([nothing({}), nothing({})], [undefined, undefined]);
  assert.equal(count, 1);
});
