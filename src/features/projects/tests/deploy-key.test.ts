import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, describe, it } from "node:test";
import { projectLayout } from "../../../host/layout.ts";
import { someIdentity } from "../../../host/project-mark/tests/identity.ts";
import { runBash } from "../../../host/tests/bash.ts";
import { deployKeyPlan } from "../plans.ts";

describe("a project's deploy key", () => {
  const directory = mkdtempSync(join(tmpdir(), "longshore-key-"));
  const layout = projectLayout(7, directory);
  const script =
    deployKeyPlan(layout, someIdentity).steps.find((step) => step.key === "create-deploy-key")?.script ?? assert.fail();
  const run = () => runBash({ script } as Parameters<typeof runBash>[0], directory);
  const facts = () => readFileSync(join(directory, "facts"), "utf8").trim().split("\n");
  const derived = () => execFileSync("ssh-keygen", ["-y", "-f", layout.deployKey], { encoding: "utf8" }).trim();

  beforeEach(() => {
    rmSync(layout.directory, { recursive: true, force: true });
    rmSync(join(directory, "facts"), { force: true });
    mkdirSync(layout.directory, { recursive: true });
  });
  after(() => rmSync(directory, { recursive: true }));

  it("is made once, readable by root only, and its public half is reported each time", async () => {
    const first = await run();
    assert.equal(first.code, 0, first.stderr);
    assert.equal(statSync(layout.deployKey).mode & 0o777, 0o600);
    await run();
    const [fact, again] = facts();
    assert.equal(fact, `deploy_key ${derived()}`);
    assert.equal(again, fact);
    assert.match(fact ?? "", /^deploy_key ssh-ed25519 \S+ longshore-project-7$/);
    const shown = `${first.stdout}${first.stderr}${fact}`;
    assert.ok(!shown.includes("PRIVATE KEY"));
  });

  it("is made whole when an interruption left half of one", async () => {
    writeFileSync(`${layout.deployKey}.pub`, "ssh-ed25519 AAAA half\n");
    writeFileSync(`${layout.deployKey}.new`, "half");
    assert.equal((await run()).code, 0);
    assert.equal(facts()[0], `deploy_key ${derived()}`);
  });

  it("is one key when two runs make it at once", async () => {
    const done = await Promise.all([run(), run(), run(), run()]);
    assert.deepEqual(
      done.map((each) => each.code),
      [0, 0, 0, 0],
    );
    assert.deepEqual(new Set(facts()), new Set([`deploy_key ${derived()}`]));
  });
});
