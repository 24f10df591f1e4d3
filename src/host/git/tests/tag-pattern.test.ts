import assert from "node:assert/strict";
import { test } from "node:test";
import { matchesTag, tagPattern } from "../tag-pattern.ts";

test("a pattern fits tags as a whole", () => {
  const fits = (pattern: string, ...tags: string[]) => tags.filter((tag) => matchesTag(pattern, tag));
  assert.deepEqual(fits("v*", "v", "v1", "v1.2/rc", "av1", "V1"), ["v", "v1", "v1.2/rc"]);
  assert.deepEqual(fits("v?.?", "v1.2", "v1.20", "v1", "v💥.2"), ["v1.2", "v💥.2"]);
  assert.deepEqual(fits("*-stable", "1-stable", "-stable", "1-stable-2"), ["1-stable", "-stable"]);
  assert.deepEqual(fits("a*b*c", "abc", "a-b-b-c", "ab", "acb"), ["abc", "a-b-b-c"]);
  assert.deepEqual(fits("v1.2", "v1.2", "v1x2"), ["v1.2"]);
  assert.deepEqual(fits("*", "anything"), ["anything"]);
});

test("a pattern that fits nothing takes no longer for it", () => {
  const pattern = `${"a*".repeat(49)}b`;
  const startedAt = performance.now();
  for (let n = 0; n < 100; n++) assert.equal(matchesTag(pattern, "a".repeat(240)), false);
  assert.ok(performance.now() - startedAt < 2_000);
});

test("a pattern has the characters of tags", () => {
  const allowed = new RegExp(tagPattern);
  for (const text of ["v*", "release/?", "v1.2-rc+1"]) assert.ok(allowed.test(text), text);
  for (const text of ["v 1", "v[0-9]", "v~1", "v^", "v:1", "v\\1", "v\n", ""]) assert.ok(!allowed.test(text), text);
});
