import { setTimeout as pause } from "node:timers/promises";
import { mustRun } from "../sandbox/command.ts";
import { ensurePackages } from "../sandbox/packages.ts";
import { execOn } from "../sandbox/sandbox.ts";
import { type Api, deploy, deploymentSuccess, waitFor } from "../stage/api-client.ts";
import { createProject, installed } from "../stage/projects.ts";
import { type Benchmark, secondsOf } from "./benchmark.ts";
import { watchMemory } from "./memory.ts";
import { prepareStage, type Stage } from "./stage.ts";

const megabytes = 100;
const bytes = megabytes * 2 ** 20;
const mostGrowthMb = 60;
const mostPageMs = 300;

export const logBenchmark: Benchmark = {
  name: "log",
  what: `a build that prints ${megabytes} MB: how long until the log is stored, what that takes in memory, how fast it is read`,
  comparedTo: "the same bytes read with `cat` over SSH",
  async run(session) {
    await ensurePackages(["openssh-client"], "the benchmark compares with it");
    const stage = await prepareStage(session);
    const { client, pid } = stage.platform;
    const project = await createProject({ ...stage, kind: "static" });
    await installed(client, project);
    // A repeated line of 100 bytes.
    const build = `yes ${"x".repeat(99)} | head -c ${bytes}`;
    const body = { custom_commands: { custom: `set +o pipefail\n${build}` } };
    await client("PUT /api/v1/projects/{id}", { params: { id: project.id }, body });
    session.update("resting");
    await pause(3_000);
    session.update("the build");
    const unseen = await measured(stage, project.id, (id) => ended(client, project.id, id));
    await pause(3_000);
    session.update("the build, with a client that asks for its record again and again");
    const seen = await measured(stage, project.id, () => Promise.resolve());
    const { id } = seen;
    session.update("reading");
    const params = { id };
    const pageMs =
      1000 *
      (await secondsOf(() => client("GET /api/v1/deployments/{id}/log", { params, query: { after: bytes >> 1 } })));
    const recordMs = 1000 * (await secondsOf(() => client("GET /api/v1/deployments/{id}", { params })));
    const reading = watchMemory(pid);
    let size = 0;
    const downloaded = await secondsOf(async () => {
      size = await download(stage, id);
    });
    const whileReading = reading.stop();
    const bySsh = await secondsOf(() => catOverSsh(stage));
    const readGrowth = whileReading.most - whileReading.first;
    return {
      measurements: [
        {
          what: "built, stored and reported as done",
          unit: "s",
          value: unseen.seconds,
          compared: [{ to: "cat over SSH", value: bySsh }],
        },
        { what: "memory that storing it takes (PSS)", unit: "MB", value: unseen.growth },
        { what: "the same, its record asked for ten times a second", unit: "s", value: seen.seconds },
        { what: "memory that this takes", unit: "MB", value: seen.growth },
        { what: "downloaded as text", unit: "s", value: downloaded, compared: [{ to: "cat over SSH", value: bySsh }] },
        { what: "memory that the download takes (PSS)", unit: "MB", value: readGrowth },
        { what: "a page in the middle", unit: "ms", value: pageMs },
        { what: "the deployment's record, 1 MB of it", unit: "ms", value: recordMs },
      ],
      failures: [
        ...(size >= bytes ? [] : [`Only ${size} of ${bytes} bytes came back`]),
        ...(Math.max(unseen.growth, seen.growth) <= mostGrowthMb ? [] : [`Storing took more than ${mostGrowthMb} MB`]),
        ...(readGrowth <= mostGrowthMb ? [] : [`The download took more than ${mostGrowthMb} MB`]),
        ...(pageMs <= mostPageMs ? [] : [`A page took longer than ${mostPageMs} ms`]),
      ],
    };
  },
};

/** A successful deployment: its duration and the growth of memory, until `waiting` and then its record show it. */
async function measured({ platform }: Stage, projectId: number, waiting: (id: number) => Promise<void>) {
  const memory = watchMemory(platform.pid);
  let id = 0;
  const seconds = await secondsOf(async () => {
    id = await deploy(platform.client, projectId);
    await waiting(id);
    await deploymentSuccess(platform.client, id, { timeoutMs: 300_000, intervalMs: 100 });
  });
  const { first, most } = memory.stop();
  return { id, seconds, growth: most - first };
}

/** Waits like a client that does not read the log. */
async function ended(client: Api, projectId: number, id: number): Promise<void> {
  const listed = () => client("GET /api/v1/projects/{id}/deployments", { params: { id: projectId } });
  const isEnded = async () => (await listed()).data.some((each) => each.id === id && each.ended_at !== null);
  await waitFor("the deployment to end", isEnded, { timeoutMs: 300_000, intervalMs: 100 });
}

async function download({ platform }: Stage, id: number): Promise<number> {
  const log = await platform.client("GET /api/v1/deployments/{id}/log.txt", { params: { id } });
  let size = 0;
  for await (const chunk of log) size += chunk.length;
  return size;
}

async function catOverSsh({ server }: Stage): Promise<void> {
  const find = "ls -S /var/lib/longshore/runs/*/journal | head -n 1";
  const { stdout } = await execOn(server.name, ["sh", "-c", find]);
  const options = ["-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR"];
  const ssh = ["ssh", "-i", server.privateKeyPath, ...options, `root@${server.address}`, "cat", stdout.trim()];
  await mustRun(["sh", "-c", '"$@" > /dev/null', "sh", ...ssh]);
}
