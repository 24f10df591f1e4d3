import assert from "node:assert/strict";
import { test } from "node:test";
import { matches, searchedText } from "../src/pages/shell/palette/commands.ts";

test("each typed word begins a word of the label", () => {
  assert.ok(matches("New project", "new pr"));
  assert.ok(matches("New project", "PROJ new"));
  assert.ok(matches("New project", "  "));
  assert.ok(!matches("New project", "ject"));
  assert.ok(!matches("New project", "new server"));
});

test("what follows the verb is searched", () => {
  assert.deepEqual(searchedText("Deploy shop front"), { q: "shop front", isDeploy: true });
  assert.deepEqual(searchedText("deploy"), { q: "deploy", isDeploy: false });
  assert.deepEqual(searchedText(" deployments "), { q: "deployments", isDeploy: false });
});

test("a pasted text is searched up to the length that the API takes", () => {
  assert.equal(searchedText("a".repeat(5000)).q.length, 100);
});
