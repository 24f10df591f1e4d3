import assert from "node:assert/strict";
import { test } from "node:test";
import { credentialsOf } from "../src/pages/settings/git-hosts/hosts.ts";
import { areasOf, permissionsInWords } from "../src/pages/settings/tokens/areas.ts";
import { restrictionInWords } from "../src/parts/reach.ts";

test("permissions stand in areas, of which those without any are left out", () => {
  assert.deepEqual(areasOf(["project:read", "server:read", "deployment:create", "backup:read" as never]), [
    { label: "Projects", permissions: ["project:read", "deployment:create"] },
    { label: "Servers", permissions: ["server:read"] },
    { label: "Other", permissions: ["backup:read"] },
  ]);
});

test("a row names the first permissions, and counts the others", () => {
  assert.equal(permissionsInWords(["*"]), "All that the account may");
  assert.equal(permissionsInWords(["project:read"]), "project:read");
  assert.equal(
    permissionsInWords(["project:read", "server:read", "a:b", "c:d"]),
    "project:read, server:read and 2 more",
  );
});

test("a restriction is distinguished from none", () => {
  assert.equal(restrictionInWords(null), "All of the organization");
  assert.equal(restrictionInWords({ server_ids: [], project_ids: [] }), "Nothing yet");
  assert.equal(restrictionInWords({ server_ids: [1], project_ids: [2, 3] }), "Only 1 server and 2 projects");
});

test("fields of other hosts are not sent", () => {
  assert.deepEqual(credentialsOf({ token: " t ", username: "", workspace: " " }), { token: "t" });
  assert.deepEqual(credentialsOf({ token: "t", username: "a@b.c", workspace: "" }), { token: "t", username: "a@b.c" });
});
