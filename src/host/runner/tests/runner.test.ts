import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { bundle } from "../../../engine/runs/bundle.ts";
import { fromTheStart, plan, step } from "../../../engine/runs/plan.ts";
import { AppError } from "../../../lib/errors.ts";
import { type Script, sh } from "../../sh.ts";
import type { Connection } from "../../ssh/connection.ts";
import { cancelRun, runnerPath, startRun } from "../runner.ts";

// The real runner in a directory of the test, with programs that stand for systemd's. What depends on systemd: runner.e2e.test.ts.

const source = readFileSync(new URL("../runner.sh", import.meta.url), "utf8");

describe("the runner", () => {
  let directory: string;
  let connection: Connection;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "longshore-runner-"));
    mkdirSync(join(directory, "bin"));
    const runner = source
      .replace("export PATH=", `export PATH=${directory}/bin:`)
      .replace("stored=/var/lib/longshore", `stored=${directory}/stored`)
      .replace("volatile=/run/longshore", `volatile=${directory}/volatile`);
    program("runner", runner);
    // For tests: only what is called.
    connection = { exec } as unknown as Connection;
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  function program(name: string, text: string): void {
    writeFileSync(join(directory, "bin", name), text);
    chmodSync(join(directory, "bin", name), 0o755);
  }

  function exec(command: Script, { input }: { input?: Buffer } = {}) {
    const child = spawn("bash", ["-c", command.script.replace(runnerPath, `${directory}/bin/runner`)]);
    const result = { exitCode: 0, stdout: "", stderr: "" };
    child.stdout.on("data", (data) => {
      result.stdout += data;
    });
    child.stderr.on("data", (data) => {
      result.stderr += data;
    });
    child.stdin.end(input);
    return new Promise((resolve) => child.on("close", (code) => resolve({ ...result, exitCode: code ?? -1 })));
  }

  /** A server in this state, as systemd names it, on which units are started or refused. */
  function systemd(state: string, starts: boolean): void {
    program(
      "systemctl",
      `#!/bin/bash\n[[ $1 != is-system-running ]] || { echo ${state}; [[ ${state} == running ]]; }\n`,
    );
    const refusal = "Failed to start transient service unit: Transaction is destructive.";
    program("systemd-run", starts ? "#!/bin/bash\n" : `#!/bin/bash\necho '${refusal}' >&2; exit 1\n`);
  }

  const somePlan = plan("test", [step("one", "One", sh`true`)], { pointOfNoReturn: fromTheStart });
  const [nonce, other] = ["0123456789abcdef01234567", "76543210fedcba9876543210"];
  const bundled = (of = nonce, order = 0) => bundle(5, somePlan, of, {}, { order, text: `ids ${order}` });
  const start = (of?: string, order?: number) => startRun(connection, 5, bundled(of, order));
  const codeOf = (code: string) => (error: unknown) => error instanceof AppError && error.code === code;

  it("counts a server that shuts down as unreachable, and starts the run when it is back", async () => {
    systemd("stopping", false);
    await assert.rejects(start(), codeOf("server_unreachable"));
    systemd("running", true);
    assert.equal(await start(), "started");
  });

  it("fails where systemd refuses for another reason, with its words", async () => {
    systemd("running", false);
    await assert.rejects(start(), (error: AppError) => {
      return error.code === "run_failed" && error.message.includes("Transaction is destructive");
    });
  });

  it("cancels no run of the same number from another life of the database", async () => {
    systemd("running", true);
    await start();
    assert.equal(await cancelRun(connection, { id: 5, nonce: other }), "unknown");
    assert.equal(await cancelRun(connection, { id: 5, nonce }), "cancelling");
  });

  it("replaces a run of the same number that is over", async () => {
    systemd("running", true);
    await start();
    writeFileSync(join(directory, "stored/runs/5/ended"), "");
    assert.equal(await start(), "ended");
    assert.equal(await start(other), "started");
    assert.ok(!existsSync(join(directory, "stored/runs/5/ended")));
  });

  it("keeps the highest ids, and few of the lower ones", async () => {
    systemd("running", true);
    const orders = [50, 3, ...Array.from({ length: 30 }, (_, at) => 60 + at), 7];
    for (const order of orders) await start(undefined, order);
    const kept = readdirSync(join(directory, "stored/ids")).map(Number);
    assert.ok(kept.includes(89) && kept.length < 12, String(kept));
    assert.equal(readFileSync(join(directory, "stored/ids/89"), "utf8"), "ids 89\n");
  });
});
