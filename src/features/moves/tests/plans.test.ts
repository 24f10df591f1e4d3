import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { allPlans } from "../../../../test/plans.ts";
import { scriptsOf, shellcheck } from "../../../../test/shellcheck.ts";
import type { Step } from "../../../engine/runs/plan.ts";
import { projectLayout } from "../../../host/layout.ts";
import { someIdentity } from "../../../host/project-mark/tests/identity.ts";
import { findFramework } from "../../projects/frameworks.ts";
import type { ProjectOnServer } from "../../projects/plans.ts";
import { prepareProjectSteps } from "../../sites/plans.ts";
import * as plans from "../plans.ts";
import { forcedCommand } from "../source.ts";

describe("the plans of moves", () => {
  const layout = projectLayout(7);
  const framework = findFramework(8);
  assert.ok(framework);
  const onServer: ProjectOnServer = {
    layout,
    identity: someIdentity,
    framework,
    site: {
      layout,
      kind: { family: "node", ports: [20_000, 20_001] },
      domains: [{ name: "shop.test" }],
      wwwRedirect: 0,
      redirectStatus: 301,
    },
    directory: "",
    commands: { install: "npm ci", build: "", dev: "node .", custom: "" },
    sharedDirectories: ["uploads"],
    sharedFiles: [],
    hasEnvironment: true,
    zeroDowntime: true,
  };
  const transit = {
    deploymentId: 12,
    layout,
    ports: [20_000, 20_001],
    databases: [
      { engine: "mariadb" as const, name: "shop_db", username: "shop", readers: [] },
      { engine: "postgresql" as const, name: "search", username: "search", readers: [] },
    ],
  };
  const source = { name: "east", host: "2001:db8::1", port: 2222 };
  const origin = { source, certificate: 3 };
  const all = allPlans.filter(({ kind }) => kind.startsWith("move-"));

  it("are scripts without findings of shellcheck", () => {
    const ours = (step: Step) => ["open", "check", "copy", "hold", "release", "remove"].includes(step.phase);
    const scripts = all.flatMap((plan) => Object.entries(scriptsOf({ ...plan, steps: plan.steps.filter(ours) })));
    const different = new Map(scripts.map(([name, script]) => [script, name]));
    // Words that are data, in quotes, and lists of one word; functions that the scripts of two databases both define.
    const ofData = /\[SC(?:1003|2016|2140|2043|2218|2317)\]$/;
    const named = [...different].map(([script, name], at) => [`${at}-${name}`, script] as const);
    const said = shellcheck(Object.fromEntries(named)).split("\n");
    assert.deepEqual(
      said.filter((line) => line !== "" && !ofData.test(line)),
      [],
    );
  });

  it("prepare the project as its deployments do", () => {
    const prepared = plans.copyingPlan(transit, origin, onServer).steps.filter((step) => step.phase === "prepare");
    assert.deepEqual(prepared, prepareProjectSteps(onServer));
  });

  it("hand out of what is root's the certificates and host keys of the project alone", async () => {
    const directory = mkdtempSync(join(tmpdir(), "longshore-command-"));
    try {
      const own = projectLayout(7, directory);
      mkdirSync(`${own.certificates}/3`, { recursive: true });
      writeFileSync(`${own.certificates}/3/privkey.pem`, "the key");
      writeFileSync(`${own.certificates}/secret`, "another's");
      const script = forcedCommand({ ...transit, layout: own }).script;
      const ask = (words: string) =>
        spawnSync("bash", ["-c", script], { env: { ...process.env, SSH_ORIGINAL_COMMAND: words }, encoding: "utf8" });
      assert.deepEqual([ask("ready").status, ask("certificate 3 privkey.pem").stdout], [0, "the key"]);
      assert.equal(ask("known-hosts").status, 66);
      for (const words of [
        "",
        "sh",
        "certificate .. secret",
        "certificate 3/../.. privkey.pem",
        "certificate 3 ../../secret",
        "known-hosts x",
        "dump mysql",
        "rsync --server --sender -lHtprLe.iLsfxCIvu . shared/",
        "rsync --server --sender -lHtprse.iLsfxCIvu . shared/",
        "rsync --server --sender -lHtpre.iLsfxCIvu . /etc/",
        // Only for applications.
        "rsync --server --sender -lHtpre.iLsfxCIvu . release/",
        "rsync --server --sender -lHtpre.iLsfxCIvu . downloads/",
        "size /etc",
        "rsync --server -lHtpre.iLsfxCIvu . shared/",
      ]) {
        const { status, stdout } = ask(words);
        assert.deepEqual([status, stdout], [65, ""], words);
      }
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it("check first on the destination whether the move continues", () => {
    const onDestination = ["move-copying", "move-building", "move-finishing"];
    const first = all
      .filter(({ kind }) => onDestination.includes(kind))
      .map(({ kind, steps }) => [kind, steps[0]?.key]);
    assert.deepEqual(new Set(first.map(([kind]) => kind)), new Set(onDestination));
    for (const [kind, key] of first) assert.equal(key, "check-move", kind);
  });
});
