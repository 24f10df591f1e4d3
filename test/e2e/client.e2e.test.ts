import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { firstDeployment } from "../../stage/api-client.ts";
import { startProcess } from "../../stage/fixture.ts";
import { createProject, endOf, install, lengthy, openStage, type Stage } from "../../stage/support.ts";
import { type Options, type Running, startProgram } from "../client/support.ts";
import { killControlPlane } from "./control-plane.ts";

// The main job from sign-in to rollback, as a person and as a pipeline do it, on a real server.

const launcher = join(import.meta.dirname, "../../longshore");

let stage: Stage;

before(async () => {
  stage = await openStage("client");
  await install(stage, {
    name: "shop",
    files: { "index.html": "one\n", "build.sh": "echo building one\n" },
    commands: { install: "", build: "bash build.sh" },
  });
}, lengthy);
after(() => stage?.close());

const environment = (): Record<string, string> => ({
  PATH: process.env.PATH ?? "",
  HOME: stage.directory,
  XDG_CONFIG_HOME: join(stage.directory, "config"),
  XDG_CACHE_HOME: join(stage.directory, "cache"),
});

const start = (args: readonly string[], { env = {}, input = "" }: Options = {}): Running =>
  startProgram([launcher, ...args], { env: { ...environment(), ...env }, cwd: stage.directory, input });

const longshore = (...args: string[]) => start(args).ended;

/** Runs a line in a pseudo-terminal of 60 columns, as a person sees it. */
function inTerminal(line: string): Running {
  const quoted = `stty cols 60 rows 30; ${line}`;
  return startProgram(["script", "-qefc", quoted, "/dev/null"], {
    env: { ...environment(), TERM: "xterm", PATH: `${join(launcher, "..")}:${process.env.PATH}` },
    cwd: stage.directory,
  });
}

const sequence = "\\u001b\\[[0-9;]*[A-Za-z]";
const movements = new RegExp(sequence, "g");

/** Without colours and movements of the cursor, which are the client's own. */
const plain = (text: string): string => text.replace(movements, "").replaceAll("\r", "");

const commit = (files: Record<string, string>) => stage.git.commit("shop", { files });

describe("a pipeline", () => {
  it("signs in, links, deploys, sees why it broke, and rolls back", async () => {
    const signedIn = await start(["login", stage.platform.url, "--token-stdin"], { input: stage.platform.token }).ended;
    assert.equal(signedIn.status, 0, signedIn.stderr);
    const file = join(stage.directory, "config/longshore/config.json");
    assert.match(await readFile(file, "utf8"), /lsh_/);
    assert.equal((await longshore("link", "shop")).status, 0);

    await commit({ "index.html": "two\n", "build.sh": "echo building two\n" });
    const deployed = await longshore("deploy");
    assert.equal(deployed.status, 0, deployed.stderr);
    assert.equal(deployed.stdout, "http://shop.example.test\n");
    assert.match(deployed.stderr, /building two/);

    await commit({ "build.sh": "echo compiling; echo no such module >&2; exit 3\n" });
    const broken = await longshore("deploy");
    assert.equal(broken.status, 6, broken.stderr);
    assert.match(broken.stderr, /no such module\n[\s\S]*✗ .*\n[\s\S]*✗ Deployment \d+ of shop failed: /);

    const logs = await longshore("logs", "--type", "access", "-n", "5");
    assert.equal(logs.status, 0, logs.stderr);

    const back = await longshore("rollback", "--yes", "--json");
    assert.equal(back.status, 0, back.stderr);
    assert.equal(JSON.parse(back.stdout).status, "success");
    assert.ok((await stage.bash(`curl -s -H 'Host: shop.example.test' http://127.0.0.1/`)).includes("one"));
  });

  it("runs a command in the live release, with its output as the result", async () => {
    const listed = await longshore("run", "shop", "--", "ls", "index.html");
    assert.equal(listed.status, 0, listed.stderr);
    assert.equal(listed.stdout, "index.html\n");
    assert.equal((await longshore("run", "shop", "--", "exit 9")).status, 1);
  });

  it("gets to the end of a deployment although the control plane is killed in the middle", lengthy, async () => {
    await commit({
      "index.html": "three\n",
      "build.sh": "for n in 1 2 3 4 5 6 7 8; do echo round $n; sleep 1; done\n",
    });
    const running = start(["deploy", "shop"]);
    await running.until(({ stderr }) => stderr.includes("round 2\n"));
    const { dataDirectory, url } = stage.platform;
    await killControlPlane(dataDirectory);
    const again = await startProcess({ dataDirectory, port: Number(new URL(url).port) });
    stage.platform.stop = again.stop;
    const { status, stdout, stderr } = await running.ended;
    assert.equal(status, 0, stderr);
    assert.equal(stdout, "http://shop.example.test\n");
    for (let n = 1; n <= 8; n++) assert.equal(stderr.split(`round ${n}\n`).length, 2, `round ${n}:\n${stderr}`);
  });
});

describe("a person at a terminal", () => {
  it("sees steps and the end, within the width of the terminal", async () => {
    await commit({ "index.html": "four\n", "build.sh": `echo ${"long ".repeat(40)}; sleep 2\n` });
    const running = inTerminal("longshore deploy shop");
    const { status, stdout } = await running.ended;
    assert.equal(status, 0, stdout);
    const shown = plain(stdout);
    assert.match(shown, /✓ shop is live in [\d.]+ s:\n/);
    assert.match(shown, /http:\/\/shop\.example\.test\n$/);
    for (const line of shown.split("\n")) assert.ok(line.length <= 80, `${line.length}: ${line}`);
  });

  it("chooses from a list what to roll back to", async () => {
    const running = inTerminal("longshore rollback shop");
    await running.until(({ stdout }) => stdout.includes("back to which one?"));
    running.child.stdin.write("1\n");
    const { status, stdout } = await running.ended;
    assert.equal(status, 0, stdout);
    assert.match(plain(stdout), /shop is live in/);
  });

  it("stops watching with Ctrl-C, and the deployment continues", async () => {
    await commit({ "index.html": "five\n", "build.sh": "echo begun; sleep 5\n" });
    const running = inTerminal("longshore deploy shop");
    await running.until(({ stdout }) => stdout.includes("begun"));
    running.child.stdin.write("\u0003");
    const { status, stdout } = await running.ended;
    assert.equal(status, 130, stdout);
    const [, id = ""] = /Deployment (\d+) continues\. Watch: longshore deployments watch/.exec(plain(stdout)) ?? [];
    assert.equal((await longshore("deployments", "watch", id)).status, 0);
  });

  it("has the first deployment of a new project followed", async () => {
    await stage.git.createRepository("blog", { files: { "index.html": "blog\n" } });
    const { id } = await createProject(stage, { name: "blog" });
    const deployment = await firstDeployment(stage.client, id, { timeoutMs: 60_000 });
    assert.equal((await longshore("deployments", "watch", String(deployment))).status, 0);
    await endOf(stage, deployment);
  });
});
