import assert from "node:assert/strict";
import { test } from "node:test";
import { errorAnswer } from "../errors.ts";

const thrown = (code: string): Error => Object.assign(new Error("internal words"), { code });

test("a deadlock is not a bug: the loser is asked to try again", () => {
  for (const code of ["40P01", "40001"]) {
    const answer = errorAnswer(thrown(code), "request");
    assert.deepEqual([answer.status, answer.headers], [503, { "Retry-After": "1" }]);
    assert.doesNotMatch(answer.body, /internal words/);
  }
});

test("an unknown error is a bug, without details", () => {
  const answer = errorAnswer(thrown("23505"), "request-7");
  assert.equal(answer.status, 500);
  assert.match(answer.body, /request-7/);
  assert.doesNotMatch(answer.body, /internal words/);
});
