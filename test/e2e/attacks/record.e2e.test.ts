import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import type { DeploymentReply } from "../../../contract/types.ts";
import { deploy, deploymentEnd, waitFor } from "../../../stage/api-client.ts";
import { visit } from "../../../stage/projects.ts";
import { install, lengthy, openStage, type Project, type Stage } from "../../../stage/support.ts";
import { attackFiles, reported, reportOf, runOnce, soon } from "./support.ts";

// Code of a project attacks the records about it, and the server's memory and processes.

let stage: Stage;
/** A PHP project, whose code also runs in builds and jobs. */
let hostile: Project;
let hostileApp: Project;

const gigabyte = 2 ** 30;
const mostProcesses = 6_000;

const appFile = `
  const { exec } = require("node:child_process");
  require("node:http").createServer((request, response) => {
    if (request.url === "/") response.end("hostile");
    else exec(decodeURIComponent(request.url.slice(1)), (_, output, errors) => response.end(output + errors));
  }).listen(process.env.PORT, "127.0.0.1");`;

before(async () => {
  stage = await openStage("attack-record");
  const attack = await attackFiles();
  const page = { "public/index.php": `<?php echo isset($_GET["run"]) ? shell_exec($_GET["run"]) : "hostile";` };
  [hostile, hostileApp] = await Promise.all([
    install(stage, { name: "hostile", frameworkId: 4, files: { ...page, ...attack }, commands: { install: "true" } }),
    install(stage, {
      name: "hostile-app",
      frameworkId: 8,
      files: { "server.js": appFile, ...attack },
      commands: { install: "true", build: "true", dev: "node server.js" },
    }),
  ]);
}, lengthy);

after(() => stage?.close());

/** Deploys with a build of these lines. */
async function build(lines: string): Promise<DeploymentReply> {
  const body = { custom_commands: { install: "true", build: lines } };
  await stage.client("PUT /api/v1/projects/{id}", { params: { id: hostile.id }, body });
  return deploymentEnd(stage.client, await deploy(stage.client, hostile.id), soon);
}

const linesOf = ({ output }: DeploymentReply): string[] => output.client_payload;

const isLive = async ({ id }: DeploymentReply): Promise<boolean> =>
  (await stage.bash(`readlink ${hostile.home}/current`)) === `releases/${id}`;

/** Runs it at this path, without waiting for the answer: visitors have less patience than some commands need. */
async function runAt(project: Project, path: string, command: string): Promise<string> {
  const name = randomUUID();
  const inBackground = `{ ${command}; echo "[end]"; } > ${reportOf(project, name)} 2>&1 &`;
  const asked = { address: stage.server.address, host: project.domain };
  const url = `${path}${encodeURIComponent(inBackground)}`;
  // A process that ran out of something before may be restarting.
  const isTaken = async () => (await visit({ ...asked, path: url })).status === 200;
  await waitFor(`${project.name} to take the command`, isTaken, soon);
  return reported(stage, project, name, /^\[end\]$/m);
}

interface Place {
  name: string;
  project: () => Project;
  run: (command: string) => Promise<string>;
}

const places: Place[] = [
  { name: "a PHP page", project: () => hostile, run: (command) => runAt(hostile, "/?run=", `cd ..; ${command}`) },
  {
    name: "a Node process",
    project: () => hostileApp,
    run: (command) => runAt(hostileApp, "/", command),
  },
  { name: "a background job", project: () => hostile, run: (command) => runOnce(stage, hostile, command) },
  { name: "a build", project: () => hostile, run: async (command) => linesOf(await build(command)).join("\n") },
];

describe("a build that leaves processes behind", () => {
  it("ends without them, and its output is kept", async () => {
    const ended = await build("echo first; bash attack/daemons.sh; echo last");
    assert.equal(ended.status, 1, ended.error ?? "");
    assert.deepEqual(
      linesOf(ended).filter((line) => line !== "noise"),
      ["first", "last"],
    );
    assert.equal(await stage.bash(`pgrep -u project-${hostile.id} -a 'bash|sleep' || true`), "");
  });
});

describe("a project", () => {
  for (const { name, project, run } of places) {
    it(`starts only so many processes from ${name}`, async () => {
      const output = await run(`perl attack/fork.pl ${mostProcesses}`);
      const started = Number(/^(\d+) processes/m.exec(output)?.[1]);
      assert.ok(started > 10 && started < mostProcesses, output);
    });

    it(`has only so much memory for ${name}`, async () => {
      const report = reportOf(project(), name.replaceAll(" ", "-"));
      const isThere = async () => (await stage.bash(`cat ${report} 2> /dev/null || true`)) || undefined;
      // Its unit disappears when it has ended.
      const running = run(`cat /proc/self/cgroup > ${report}; while [ -e ${report} ]; do sleep 0.1; done`);
      const [unit] = (await waitFor("its control group", isThere, soon)).match(/[^/\n]+\.service$/m) ?? [];
      const limits = await stage.bash(`
        unit=${unit}
        while [[ $unit && $unit != -.slice ]]; do
          systemctl show --property=MemoryMax --value "$unit"
          unit=$(systemctl show --property=Slice --value "$unit")
        done
        rm ${report}`);
      await running;
      assert.match(limits, /^\d+$/m, `the limits of ${unit} and what it is part of`);
    });
  }
});

describe("a build that changes the length of its output", () => {
  for (const [what, length] of [
    ["to nothing", 0],
    ["to gigabytes", 2.5 * gigabyte],
  ] as const) {
    it(`${what} neither hides what it printed nor decides what the record states`, async () => {
      const ended = await build(`echo first; perl attack/truncate.pl ${length}; echo last`);
      assert.deepEqual(
        { lines: linesOf(ended), isLive: await isLive(ended) },
        { lines: ["first", "last"], isLive: ended.status === 1 },
      );
      assert.equal(ended.status, 1, ended.error ?? "");
    });
  }
});

/** Memory of the platform's process, in MB. */
async function memoryMb(): Promise<number> {
  const status = await readFile(`/proc/${stage.platform.pid}/status`, "utf8");
  return Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1]) / 1024;
}

const health = async (): Promise<number> =>
  (await fetch(`${stage.platform.url}/api/v1/health`, { signal: AbortSignal.timeout(60_000) })).status;

/** Requests the health page until `isOver`; every request must be answered, on a busy machine also with 503. */
async function healthUntil(isOver: () => boolean): Promise<number> {
  let answers = 0;
  do {
    assert.match(String(await health()), /^(200|503)$/);
    answers += 1;
  } while (!isOver());
  await waitFor("the platform to be healthy", async () => (await health()) === 200, soon);
  return answers;
}

describe("a server that was taken over", () => {
  const endless = "head -c 620000000 /dev/zero | tr '\\0' x";

  it("keeps Longshore neither from answering nor fills its memory with a line that never ends", async (t) => {
    const before = await memoryMb();
    let isWritten = false;
    const writing = stage.bash(`${endless} >> /run/longshore/bell`).then(() => {
      isWritten = true;
    });
    const answers = await healthUntil(() => isWritten);
    await writing;
    const grown = (await memoryMb()) - before;
    t.diagnostic(`${answers} answers, ${Math.round(grown)} MB`);
    assert.ok(grown < 300, `${grown} MB`);
    await stage.bash(": > /run/longshore/bell");
    assert.equal((await build("echo as before")).status, 1);
  });
});
