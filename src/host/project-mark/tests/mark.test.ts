import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { projectLayout } from "../../layout.ts";
import { withPrelude } from "../../runner/prelude.ts";
import { lines, sh } from "../../sh.ts";
import { runBash } from "../../tests/bash.ts";
import { claimNumber, type ProjectIdentity, unlessAnothers } from "../mark.ts";
import { someIdentity as ours } from "./identity.ts";

// As after a restore: the same number was given again, a microsecond later.
const theirs: ProjectIdentity = { ...ours, createdAt: "2026-11-26T14:33:09.123457Z" };
const fromBefore: ProjectIdentity = { ...ours, mayAdopt: true };

describe("the number of a project on a server", () => {
  let directory: string;
  let layout: ReturnType<typeof projectLayout>;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "longshore-mark-"));
    layout = projectLayout(7_654_321, directory);
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const claim = (identity: ProjectIdentity) =>
    runBash(withPrelude("It failed.", lines(claimNumber(layout, identity), sh`echo claimed`)), directory);
  const remove = (identity: ProjectIdentity) =>
    runBash(
      withPrelude("It failed.", lines(unlessAnothers(layout, identity), sh`rm -rf -- ${layout.directory}`)),
      directory,
    );
  const live = () => {
    mkdirSync(layout.directory, { recursive: true });
    writeFileSync(join(layout.directory, "page"), "live");
  };

  it("is its own from the first claim on, and can be claimed again", async () => {
    for (const _ of [1, 2]) assert.equal((await claim(ours)).stdout, "claimed\n");
    assert.equal(readFileSync(layout.mark, "utf8"), `7654321 ${ours.createdAt}\n`);
  });

  it("is refused to another project, also one that may adopt what has no mark", async () => {
    await claim(ours);
    live();
    for (const identity of [theirs, { ...theirs, mayAdopt: true }]) {
      const { code, stdout, stderr } = await claim(identity);
      assert.deepEqual([code, stdout], [1, ""]);
      assert.match(stderr, /has another project with the number 7654321, .*create it again/);
    }
    assert.equal(readFileSync(layout.mark, "utf8"), `7654321 ${ours.createdAt}\n`);
  });

  it("is refused where there are files without a mark, except to a project that was there before there were marks", async () => {
    live();
    assert.equal((await claim(ours)).code, 1);
    assert.ok(!existsSync(layout.mark));
    assert.equal((await claim(fromBefore)).code, 0);
    assert.equal((await claim(theirs)).code, 1);
  });

  it("lets nothing of another project be removed", async () => {
    live();
    await remove(ours);
    assert.ok(existsSync(layout.directory), "files without a mark are not of a project that was made since");
    await claim(fromBefore);
    await remove(theirs);
    assert.ok(existsSync(layout.directory));
    await remove(ours);
    assert.ok(!existsSync(layout.directory));
  });
});
