import { mustRun } from "../sandbox/command.ts";
import { ensurePackages } from "../sandbox/packages.ts";
import { execOn, type SandboxServer } from "../sandbox/sandbox.ts";
import { type Api, deploy, deploymentEnd, waitFor } from "../stage/api-client.ts";
import {
  commitVersion,
  createProject,
  deployNow,
  installed,
  rollBack,
  type SampleProject,
  visit,
} from "../stage/projects.ts";
import { type SampleKind, sampleKinds, versionIn } from "../stage/samples.ts";
import { type Benchmark, type Measurement, median, type Session } from "./benchmark.ts";
import { prepareStage, type Stage } from "./stage.ts";

const rounds = 7;
const often = { timeoutMs: 60_000, intervalMs: 5 };

/** Seconds from the request until visitors get the earlier version. Node: the soak (3 s), and one more. */
const bars: Record<SampleKind, number> = { static: 0.3, php: 0.3, node: 4 };
const cancelBar = 2;

export const rollbackBenchmark: Benchmark = {
  name: "rollback",
  what: `from the request to roll back to a kept release until visitors get it, and from a cancel inside a build until nothing of it is left; median of ${rounds}`,
  comparedTo: "replacing the link by hand over SSH, which verifies, records and prunes nothing",
  async run(session) {
    await ensurePackages(["openssh-client"], "the benchmark compares with it");
    const stage = await prepareStage(session);
    const measurements: Measurement[] = [];
    const failures: string[] = [];
    const note = (measurement: Measurement, bar: number) => {
      measurements.push(measurement);
      if (measurement.value > bar) failures.push(`${measurement.what}: more than ${bar} s`);
    };
    for (const kind of sampleKinds) {
      session.update(`${kind}: two releases`);
      const project = await createProject({ ...stage, kind });
      const releases = await twoReleases(stage, project);
      session.update(`${kind}: rolling back`);
      const seconds = await rollBacks(stage, project, releases);
      const compared = kind === "node" ? [] : [{ to: "link by hand", value: await byHand(stage, project) }];
      note({ what: `${kind}: rolled back`, unit: "s", value: seconds, compared }, bars[kind]);
      if (kind === "static") note(await cancels(session, stage, project), cancelBar);
    }
    return { measurements, failures };
  },
};

interface Release {
  /** Its newest successful deployment. */
  deploymentId: number;
  version: string;
}

async function twoReleases(stage: Stage, project: SampleProject): Promise<[Release, Release]> {
  const { client } = stage.platform;
  const first = await installed(client, project);
  const { body } = await visit({ address: stage.server.address, host: project.domain });
  const version = "2.0.0";
  await commitVersion(stage.git, project, version);
  const second = await deployNow(client, project);
  return [
    { deploymentId: first, version: versionIn(body) ?? "" },
    { deploymentId: second, version },
  ];
}

/** Back and forth between two releases. */
async function rollBacks(stage: Stage, project: SampleProject, releases: [Release, Release]): Promise<number> {
  const seconds: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const to = releases[round % 2] as Release;
    const startedAt = performance.now();
    const served = servesVersion(stage.server, project, to.version).then(() => (performance.now() - startedAt) / 1000);
    to.deploymentId = await rollBack(stage.platform.client, to.deploymentId);
    seconds.push(await served);
  }
  return median(seconds);
}

const servesVersion = (server: SandboxServer, { domain }: SampleProject, version: string): Promise<true> =>
  waitFor(
    `${domain} to serve ${version}`,
    async () => versionIn((await visit({ address: server.address, host: domain })).body) === version || undefined,
    often,
  );

/** The same link, back and forth, each time over a separate SSH connection. */
async function byHand({ server }: Stage, { id }: SampleProject): Promise<number> {
  const home = `/srv/longshore/projects/${id}`;
  const { stdout } = await execOn(server.name, ["sh", "-c", `readlink ${home}/current; ls ${home}/releases`]);
  const [live = "", ...releases] = stdout.trim().split("\n");
  const options = ["-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR"];
  const seconds: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const to = round === rounds - 1 ? live : `releases/${releases[round % releases.length]}`;
    const replace = `cd ${home} && ln -sfn ${to} current.new && mv -T current.new current`;
    const startedAt = performance.now();
    await mustRun(["ssh", "-i", server.privateKeyPath, ...options, `root@${server.address}`, replace]);
    seconds.push((performance.now() - startedAt) / 1000);
  }
  return median(seconds);
}

// It ignores signals to end, and so do its children, which have left its session.
const stubbornBuild =
  "trap '' TERM; setsid bash -c \"trap '' TERM; sleep 600\" & echo begun; while :; do sleep 600; done";

async function cancels(session: Session, { platform, server }: Stage, project: SampleProject): Promise<Measurement> {
  const { client } = platform;
  const body = { custom_commands: { custom: stubbornBuild } };
  await client("PUT /api/v1/projects/{id}", { params: { id: project.id }, body });
  const seconds: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    session.update(`cancel ${round} of ${rounds}`);
    const id = await deploy(client, project.id);
    await waitFor("the build to begin", () => isBuilding(client, id), often);
    const startedAt = performance.now();
    await client("POST /api/v1/deployments/{id}/cancel", { params: { id } });
    const { status } = await deploymentEnd(client, id, often);
    seconds.push((performance.now() - startedAt) / 1000);
    if (status !== 5) throw new Error(`A deployment that was cancelled ended with status ${status}`);
    const { stdout } = await execOn(server.name, ["sh", "-c", "pgrep -fx 'sleep 600' || true"]);
    if (stdout.trim() !== "") throw new Error(`Processes of a cancelled build are left: ${stdout}`);
  }
  return { what: "cancelled inside a build that ignores SIGTERM", unit: "s", value: median(seconds) };
}

async function isBuilding(client: Api, id: number): Promise<boolean> {
  const { data } = await client("GET /api/v1/deployments/{id}/log", { params: { id } });
  return data.some(({ text }) => text.includes("begun\n"));
}
