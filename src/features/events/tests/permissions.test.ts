import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { topics } from "../../notifications/schema.ts";
import { eventKinds, streamPermission } from "../schema.ts";

const features = new URL("../..", import.meta.url);

/** The names in the files that record events; some of them also announce topics of notifications. */
function emittedNames(): string[] {
  const texts = globSync("**/*.ts", { cwd: features, exclude: (name) => name === "tests" })
    .map((file) => readFileSync(new URL(file, features), "utf8"))
    .filter((text) => text.includes('/engine/events.ts"'));
  const names = texts.flatMap((text) => [...text.matchAll(/"([a-z_]+\.[a-z_]+)"/g)].map(([, name = ""]) => name));
  return [...new Set(names).difference(new Set<string>(topics))].sort();
}

test("every event that is recorded has the permission that its readers need", () => {
  const names = emittedNames();
  assert.ok(names.includes("command.log") && names.includes("server.deleted"), names.join(" "));
  assert.deepEqual(
    names.filter((name) => streamPermission(name, { noun: "server" }) === undefined),
    [],
  );
});

test("every event that is recorded, also by the database, can be chosen and is documented", () => {
  const migrations = new URL("../../../db/migrations/", import.meta.url);
  const texts = globSync("*.sql", { cwd: migrations }).map((file) => readFileSync(new URL(file, migrations), "utf8"));
  const nouns = texts.flatMap((text) => [...text.matchAll(/announce_change\('(\w+)'/g)].map(([, noun]) => noun));
  assert.ok(nouns.includes("channel"), nouns.join(" "));
  const known = new Set<string>(eventKinds);
  const recorded = [...emittedNames(), ...nouns.map((noun) => `${noun}.updated`)];
  assert.deepEqual(
    [...new Set(recorded)].filter((name) => !known.has(name)),
    [],
  );
});

test("events of attention have the permission of the record that they name", () => {
  assert.equal(streamPermission("attention.updated", { noun: "monitor" }), "monitor:read");
  assert.equal(streamPermission("attention.updated", { noun: "deployment" }), "project:read");
  assert.equal(streamPermission("attention.updated", { noun: "constructor" }), undefined);
  assert.equal(streamPermission("attention.updated"), undefined);
});

test("commands are shown to readers of projects, SSH access to readers of servers, and unknown nouns to no client", () => {
  assert.equal(streamPermission("command.log"), "project:read");
  assert.equal(streamPermission("ssh_access.updated"), "server:read");
  assert.equal(streamPermission("secret.updated"), undefined);
});
