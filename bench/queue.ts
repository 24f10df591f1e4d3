import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import ssh2 from "ssh2";
import type { Deployment } from "../contract/types.ts";
import { downServer, execOn, type SandboxServer } from "../sandbox/sandbox.ts";
import type { Api } from "../stage/api-client.ts";
import { type Platform, provisionedServer, setupSuccess, startGitFor, startPlatform } from "../stage/fixture.ts";
import { sampleDirectory } from "../stage/samples.ts";
import { type Benchmark, type Measurement, type Session, secondsOf } from "./benchmark.ts";
import { type EventLoad, startEventLoad } from "./event-load.ts";
import { watchMemory } from "./memory.ts";
import { dispatchLatencies, emptyTimes, mostAtOnce, percentile } from "./queue-times.ts";
import type { JournalOfRun } from "./simulated-servers.ts";

const realServers = 4;
const allServers = 50;
const projectsOfServer = 5;
const rounds = 4;
const queueLimit = 2;
const mostLatencyMs = 250;
const mostMegabytes = 500;
const eventsPerSecond = 200;

const deployments = allServers * projectsOfServer * rounds;

export const queueBenchmark: Benchmark = {
  name: "queue",
  what: `${deployments} deployments queued at once over ${allServers} servers (${realServers} real, the rest only speak the protocol), ${queueLimit} at a time on each, one worker`,
  comparedTo: "a loop that runs the same steps over kept SSH connections with the same limit: no queue, records, logs",
  async run(session) {
    const simulated = await startSimulated(session, allServers);
    session.update("the loop");
    const looped = await secondsOf(() => runLoop(simulated.addresses, simulated.port));
    const stage = await prepare(session, simulated);
    session.update(`${deployments} deployments`);
    const memory = watchMemory(stage.platform.pid);
    const startedAt = Date.now();
    let requested = 0;
    const took = await secondsOf(async () => {
      requested = await secondsOf(() => requestAll(stage));
      await allEnded(session, stage);
    });
    const { most: megabytes } = memory.stop();
    const recorded = await readDeployments(stage);
    const ofServers = stage.servers.map(({ id }) =>
      dispatchLatencies(
        recorded.filter((each) => each.server_id === id),
        queueLimit,
      ),
    );
    const latencies = ofServers.flat();
    // The first deployments of all servers can start at the same moment, and this process starts them one after the other; later
    // ones start one by one.
    const [atOnce, later] = [
      ofServers.flatMap((each) => each.slice(0, queueLimit)),
      ofServers.flatMap((each) => each.slice(queueLimit)),
    ];
    const journals = await readJournals(stage, simulated);
    const most = mostAtOnce(journals);
    const empty = journals.flatMap((runs) =>
      emptyTimes(
        runs.filter(({ began }) => began >= startedAt),
        queueLimit,
      ),
    );
    const failed = recorded.filter((each) => each.status !== 1).length;
    const [p50, p99] = [percentile(latencies, 50), percentile(latencies, 99)];
    const beside = await deployBesideEvents(session, stage, recorded);
    return {
      measurements: [
        { what: "until all have ended", unit: "s", value: took, compared: [{ to: "loop over SSH", value: looped }] },
        { what: `until ${deployments} were accepted, in ${rounds} requests`, unit: "s", value: requested },
        // By the database's clock: from the end that frees a slot, or from the request, until the next one is recorded as begun.
        { what: "dispatch: from room in the record until the next is begun, median", unit: "ms", value: p50 },
        { what: "dispatch, 99th percentile", unit: "ms", value: p99 },
        {
          what: `of the first ${atOnce.length}, which all find room at once, 99th percentile`,
          unit: "ms",
          value: percentile(atOnce, 99),
        },
        { what: "of those for which an end made room, 99th percentile", unit: "ms", value: percentile(later, 99) },
        // Everything in between: the end is received and stored, the next one begun, sent and started.
        { what: "a place stands empty on the server, median", unit: "ms", value: percentile(empty, 50) },
        { what: "a place stands empty on the server, 99th percentile", unit: "ms", value: percentile(empty, 99) },
        { what: "memory of the worker, at most (PSS, with the API)", unit: "MB", value: megabytes },
        { what: `at once on one server, at most (queue_limit ${queueLimit})`, unit: "deployments", value: most },
        { what: "that did not succeed", unit: "deployments", value: failed },
        ...beside.measurements,
      ],
      failures: [
        ...(recorded.length === deployments ? [] : [`${recorded.length} of ${deployments} deployments are recorded`]),
        ...(failed === 0 ? [] : [`${failed} deployments did not succeed`]),
        ...(latencies.length === deployments
          ? []
          : [`${latencies.length} of ${deployments} starts could be explained`]),
        ...(most <= queueLimit ? [] : [`The journals show ${most} deployments at once on a server`]),
        ...(p99 <= mostLatencyMs ? [] : [`A start in a hundred took longer than ${mostLatencyMs} ms`]),
        ...(megabytes <= mostMegabytes ? [] : [`The worker took more than ${mostMegabytes} MB`]),
        ...beside.failures,
      ],
    };
  },
};

/** The same deployments again, while another process commits transactions with events, which a client follows. */
async function deployBesideEvents(session: Session, stage: QueueStage, former: readonly Deployment[]) {
  session.update(`${deployments} deployments beside ${eventsPerSecond} events a second`);
  const { platform } = stage;
  const load = await startEventLoad(platform, eventsPerSecond);
  const took = await secondsOf(async () => {
    await requestAll(stage);
    await allEnded(session, stage, 2 * rounds + 1);
  });
  const events: EventLoad = await load.stop();
  const known = new Set(former.map(({ id }) => id));
  const recorded = (await readDeployments(stage)).filter(({ id }) => !known.has(id));
  const latencies = stage.servers.flatMap(({ id }) =>
    dispatchLatencies(
      recorded.filter((each) => each.server_id === id),
      queueLimit,
    ),
  );
  const p99 = percentile(latencies, 99);
  return {
    measurements: [
      { what: `beside ${eventsPerSecond} transactions/s with events: until all have ended`, unit: "s", value: took },
      { what: "beside events: dispatch, 99th percentile", unit: "ms", value: p99 },
      { what: "transactions with events, of each second", unit: "requests", value: Math.round(events.perSecond) },
      { what: "their commit, 99th percentile", unit: "ms", value: percentile(events.commitMs, 99) },
      {
        what: "from their commit to the client, 99th percentile",
        unit: "ms",
        value: percentile(events.receivedMs, 99),
      },
    ] satisfies Measurement[],
    failures: [
      ...(events.perSecond >= 0.95 * eventsPerSecond ? [] : [`Only ${events.perSecond} transactions/s with events`]),
      ...(events.missing === 0 ? [] : [`${events.missing} events did not reach the client`]),
      ...(p99 <= mostLatencyMs ? [] : [`Beside events, a start in a hundred took longer than ${mostLatencyMs} ms`]),
    ],
  };
}

interface Simulated {
  addresses: string[];
  port: number;
  process: ChildProcess;
}

interface QueueStage {
  platform: Platform;
  servers: { id: number; real?: SandboxServer; address?: string }[];
  projectIds: number[];
  /** Ids of deployments up to this one installed the projects. */
  lastInstallation: number;
}

async function startSimulated(session: Session, count: number): Promise<Simulated> {
  session.update(`starting ${count} simulated servers`);
  const child = fork(join(import.meta.dirname, "simulated-servers.ts"), [String(count)]);
  session.cleanUp(async () => child.kill());
  // Real servers have their own processors: their load must not be taken from the platform.
  setPriority(child.pid as number, constants.priority.PRIORITY_BELOW_NORMAL);
  const [{ addresses, port }] = await once(child, "message");
  return { addresses, port, process: child };
}

/** Every server's share of the deployments, `queueLimit` at a time, each as one command. */
async function runLoop(addresses: readonly string[], port: number): Promise<void> {
  const ofLane = (projectsOfServer * rounds) / queueLimit;
  const onServer = async (host: string) => {
    const client = new ssh2.Client();
    const ready = once(client, "ready");
    client.connect({ host, port, username: "root", privateKey: key });
    await ready;
    client.setNoDelay(true);
    const lane = async () => {
      for (let at = 0; at < ofLane; at++) await command(client, "work");
    };
    await Promise.all(Array.from({ length: queueLimit }, lane));
    client.end();
  };
  const key = ssh2.utils.generateKeyPairSync("rsa", { bits: 2048 }).private;
  await Promise.all(addresses.map(onServer));
}

const command = (client: ssh2.Client, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    client.exec(text, (error, channel) => {
      if (error) return reject(error);
      channel.on("close", () => resolve()).resume();
      channel.end();
    });
  });

async function prepare(session: Session, simulated: Simulated): Promise<QueueStage> {
  session.update("starting the platform");
  // The simulated servers are on loopback addresses.
  const env = { LONGSHORE_SERVERS_ALLOW: "127.77.0.0/16" };
  const platform = await startPlatform({ dataDirectory: join(session.directory, "data"), env });
  session.cleanUp(platform.stop);
  const servers: QueueStage["servers"] = [];
  for (let at = 1; at <= realServers; at++) {
    session.update(`booting server ${at} of ${realServers}`);
    // Like the simulated ones; builds also need more CPU.
    const { server, serverId } = await provisionedServer(platform, nameFor(session, at), {}, { priority: "idle" });
    servers.push({ id: serverId, real: server });
  }
  session.update("registering the simulated servers");
  for (const address of simulated.addresses.slice(realServers)) {
    servers.push({ id: await registerSimulated(platform, address, simulated.port), address });
  }
  for (const { id } of servers) {
    await setupSuccess(platform.client, id);
    await platform.client("PUT /api/v1/servers/{id}", { params: { id }, body: { queue_limit: queueLimit } });
  }
  session.update("installing the projects");
  const projectIds = await createProjects(session, platform, servers);
  const stage = { platform, servers, projectIds, lastInstallation: 0 };
  await allEnded(session, stage, 1);
  return { ...stage, lastInstallation: Math.max(...(await readDeployments(stage)).map(({ id }) => id)) };
}

// Removed with the session, even if its creation fails.
function nameFor(session: Session, at: number): string {
  const name = `bench-queue${at}-${process.pid}`;
  session.cleanUp(() => downServer(name));
  return name;
}

async function registerSimulated({ client }: Platform, address: string, port: number): Promise<number> {
  const { server_id } = await client("POST /api/v1/servers", {
    body: { server_os: "debian_12", public_ip: address, ssh_port: port, database_engine: "none" },
  });
  return server_id;
}

async function createProjects(session: Session, platform: Platform, servers: QueueStage["servers"]): Promise<number[]> {
  const { real } = servers[0] as { real: SandboxServer };
  const git = await startGitFor(real, join(session.directory, "git"));
  session.cleanUp(git.close);
  await git.createRepository("page", { fromDirectory: sampleDirectory("static") });
  const ids: number[] = [];
  for (let at = 0; at < projectsOfServer; at++) {
    for (const { id: serverId } of servers) {
      const { project_id } = await platform.client("POST /api/v1/projects", {
        body: {
          name: `page ${serverId}.${at}`,
          server_id: serverId,
          domain: `p${at}.s${serverId}.localhost.example`,
          framework_id: 10,
          git_repository: { type: "git", repo: git.urlOf("page"), branch: "main" },
        },
      });
      ids.push(Number(project_id));
    }
  }
  return ids;
}

const requestAll = ({ platform, projectIds }: QueueStage): Promise<unknown> =>
  Promise.all(
    Array.from({ length: rounds }, () =>
      platform.client("POST /api/v1/deployments", { body: { project_ids: projectIds } }),
    ),
  );

const deploymentsOf = async (client: Api, id: number): Promise<Deployment[]> =>
  (await client("GET /api/v1/projects/{id}/deployments", { params: { id }, query: { per_page: 100 } })).data;

/** One project after the other: by then its server has finished most of its deployments. */
async function allEnded(session: Session, { platform, projectIds }: QueueStage, wanted = rounds + 1): Promise<void> {
  for (const [at, id] of projectIds.entries()) {
    while ((await deploymentsOf(platform.client, id)).filter(({ ended_at }) => ended_at).length < wanted)
      await pause(250);
    if (at % 25 === 0) session.update(`${at} of ${projectIds.length} projects have ended all their deployments`);
  }
}

async function readDeployments({ platform, servers, projectIds, lastInstallation }: QueueStage): Promise<Deployment[]> {
  const all: Deployment[] = [];
  for (const [at, id] of projectIds.entries()) {
    const serverId = (servers[at % servers.length] as { id: number }).id;
    for (const recorded of await deploymentsOf(platform.client, id)) all.push({ ...recorded, server_id: serverId });
  }
  return all.filter(({ id }) => id > lastInstallation);
}

/** The times of all runs, from the servers' journals. */
async function readJournals({ servers }: QueueStage, simulated: Simulated): Promise<JournalOfRun[][]> {
  simulated.process.send("journals");
  const [{ journals }] = (await once(simulated.process, "message")) as [{ journals: [string, JournalOfRun[]][] }];
  const ofReal = servers.flatMap(({ real }) => (real ? [real] : []));
  return [...journals.map(([, runs]) => runs), ...(await Promise.all(ofReal.map(readJournalsOn)))].map((runs) =>
    runs.filter((run) => run.isDeployment),
  );
}

async function readJournalsOn({ name }: SandboxServer): Promise<JournalOfRun[]> {
  const script = `cd /var/lib/longshore/runs
    for run in *; do
      grep -qs /srv/longshore/projects/ "$run"/steps/* || continue
      grep -aoE $'^\\x1e[0-9a-f]+ (run|end [a-z]+) [0-9]+' "$run/journal" | awk '{ print $NF }' | paste -sd ' '
    done`;
  const { stdout } = await execOn(name, ["bash", "-c", script]);
  const lines = stdout.trim().split("\n");
  return lines.map((line) => {
    const [began, ended] = line.split(" ").map(Number);
    return { isDeployment: true, began: began as number, ended };
  });
}
