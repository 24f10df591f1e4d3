import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, it } from "node:test";
import { serverPaths } from "../../layout.ts";
import { withPrelude } from "../../runner/prelude.ts";
import { runBash } from "../../tests/bash.ts";
import { findFormerProjects, type KnownProjects } from "../system.ts";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "longshore-former-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const look = (known: KnownProjects) =>
  runBash(withPrelude("It failed.", findFormerProjects(known, directory)), directory);
const add = (...numbers: number[]) => {
  for (const number of numbers) mkdirSync(join(directory, serverPaths.projects, String(number)), { recursive: true });
};

it("reports each project once that the records do not have on the server, whatever its number", async () => {
  assert.equal((await look({ ids: [], last: 9 })).code, 0);
  add(2, 5, 12, 70_000);
  const first = await look({ ids: [2], last: 9 });
  assert.equal(first.code, 1);
  assert.match(first.stderr, /: 12 5\. They stay as they are/);
  assert.equal((await look({ ids: [2], last: 12 })).code, 0);
  add(6);
  assert.match((await look({ ids: [2], last: 12 })).stderr, /: 6\. They/);
});

it("takes no project for another's that was made while the setup began", async () => {
  add(10);
  mkdirSync(join(directory, serverPaths.projectMarks), { recursive: true });
  writeFileSync(join(directory, serverPaths.projectMarks, "10"), "10 now\n");
  assert.equal((await look({ ids: [], last: 9 })).code, 0);
  assert.equal((await look({ ids: [], last: 10 })).code, 1);
});
