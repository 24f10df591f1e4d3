import assert from "node:assert/strict";
import { test } from "node:test";
import { pollUntil } from "../clock.ts";

test("it asks until there is an answer", async () => {
  let asked = 0;
  const answer = await pollUntil(() => (++asked === 3 ? "yes" : false), { timeoutMs: 10_000, everyMs: 1 });
  assert.equal(answer, "yes");
  assert.equal(asked, 3);
});

test("it asks at once and again when the time is up, then gives up", async () => {
  let asked = 0;
  const answer = await pollUntil(() => void asked++, { timeoutMs: 1, everyMs: 60_000 });
  assert.equal(answer, undefined);
  assert.equal(asked, 2);
});

test("0 and the empty text are answers", async () => {
  assert.equal(await pollUntil(() => 0, { timeoutMs: 0 }), 0);
  assert.equal(await pollUntil(() => "", { timeoutMs: 0 }), "");
});

test("a question that fails ends it", async () => {
  await assert.rejects(
    pollUntil(() => Promise.reject(new Error("no")), { timeoutMs: 10_000 }),
    { message: "no" },
  );
});
