import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import {
  type ClientStage,
  environment,
  makeLive,
  newestDeployment,
  nextDeployment,
  openClientStage,
  type Running,
  startProgram,
} from "./support.ts";

// What a person sees and types: the client in a pseudo-terminal of 60 columns.

const program = join(import.meta.dirname, "../../cli/src/main.ts");

let stage: ClientStage;

before(async () => {
  stage = await openClientStage();
  await makeLive(stage, "a");
  await makeLive(stage, "b");
});
after(() => stage?.close());

function inTerminal(command: string): Running {
  const line = `stty cols 60 rows 30; exec '${process.execPath}' '${program}' ${command}`;
  const env = { ...environment(stage), TERM: "xterm" };
  return startProgram(["script", "-qefc", line, "/dev/null"], { env, cwd: stage.folder });
}

const sequence = "\\u001b\\[[0-9;]*[A-Za-z]";
const movements = new RegExp(sequence, "g");

/** Without colours and movements of the cursor, which are the client's own. */
const plain = (text: string): string => text.replace(movements, "").replaceAll("\r", "");

async function begun(command: string) {
  const newest = await newestDeployment(stage);
  const running = inTerminal(command);
  const deployment = await nextDeployment(stage, newest);
  await deployment.begin();
  return { running, deployment };
}

describe("a person at a terminal", () => {
  it("sees the running step with its last lines, the steps that ended, and the end, within the width", async () => {
    const { running, deployment } = await begun("deploy shop");
    await deployment.print(`${"long ".repeat(40)}\n\u001b[2Jhostile\n`);
    await running.until(({ stdout }) => stdout.includes("␛[2Jhostile"));
    await deployment.end();
    const { status, stdout } = await running.ended;
    assert.equal(status, 0, stdout);
    const shown = plain(stdout);
    assert.match(shown, /✓ .* 1\.2 s\n/);
    assert.match(shown, /✓ shop is live in [\d.]+ s:\nhttp:\/\/shop-1\.example\.com\n/);
    for (const line of shown.split("\n")) assert.ok(line.length <= 62, `${line.length}: ${line}`);
  });

  it("gets the last lines of the step that failed after the log", async () => {
    const { running, deployment } = await begun("deploy shop");
    await deployment.print("compiling\nno such module\n");
    await deployment.end("failed", "The build ended with 1.");
    const { status, stdout } = await running.ended;
    assert.equal(status, 6);
    assert.match(
      plain(stdout),
      /✗ Deployment \d+ of shop failed: The build ended with 1\.\n {2}compiling\n {2}no such module\n/,
    );
  });

  it("stops watching with Ctrl-C", async () => {
    const { running, deployment } = await begun("deploy shop");
    await deployment.print("begun\n");
    await running.until(({ stdout }) => stdout.includes("begun"));
    running.child.stdin.write("\u0003");
    const { status, stdout } = await running.ended;
    assert.equal(status, 130, stdout);
    assert.match(
      plain(stdout),
      new RegExp(`Deployment ${deployment.id} continues\\. Watch: longshore deployments watch`),
    );
    await deployment.end();
  });

  it("chooses from a list what to roll back to", async () => {
    const newest = await newestDeployment(stage);
    const running = inTerminal("rollback shop");
    await running.until(({ stdout }) => stdout.includes("back to which one?"));
    running.child.stdin.write("1\n");
    const deployment = await nextDeployment(stage, newest);
    await deployment.begin();
    await deployment.end();
    assert.equal((await running.ended).status, 0);
  });
});
