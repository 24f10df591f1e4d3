import assert from "node:assert/strict";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { downServer } from "../../sandbox/sandbox.ts";
import { type EmbeddedPostgres, postgresProcessesOf, startEmbeddedPostgres } from "../../src/db/embedded.ts";
import { pollUntil } from "../../src/lib/clock.ts";
import { newKey } from "../../src/lib/secrets.ts";
import { type Ended, longshore, type Platform, startPlatform } from "../../src/tests/platform.ts";
import { type Api, api, deploy, waitFor } from "../../stage/api-client.ts";
import { provisionedServer, startGitFor } from "../../stage/fixture.ts";
import { bashOn } from "../../stage/stage.ts";
import {
  bodyOf,
  endOf,
  install as installProject,
  lengthy,
  type Project,
  type Stage,
  waiting,
} from "../../stage/support.ts";
import { type TcpProxy, tcpProxy } from "../tcp-proxy.ts";

// A PostgreSQL primary with a streaming standby, two API processes and two workers that know both hosts, and a load of requests.

/** After this long everything works again, and no request may take longer. */
const limitMs = 30_000;

interface Node {
  postgres: EmbeddedPostgres;
  directory: string;
  proxy: TcpProxy;
  /** As superuser, on the machine itself. */
  run(statement: string): Promise<pg.QueryResult>;
}

interface Cluster {
  primary: Node;
  standby: Node;
  /** Between the two. */
  replication: TcpProxy;
  /** With both hosts. */
  url: string;
}

async function openNode(t: TestContext, directory: string, settings: Record<string, string>): Promise<Node> {
  // Nothing here loses power.
  const postgres = await startEmbeddedPostgres(directory, { settings, durable: false });
  const proxy = await tcpProxy(postgres.url);
  t.after(async () => {
    await proxy.close();
    await postgres.stop();
  });
  const run = async (statement: string): Promise<pg.QueryResult> => {
    const client = new pg.Client(postgres.url.replace("user=longshore", "user=postgres"));
    client.on("error", () => {});
    await client.connect();
    return await client.query(statement).finally(() => client.end());
  };
  return { postgres, directory, proxy, run };
}

async function openCluster(t: TestContext): Promise<Cluster> {
  const root = await mkdtemp(join(tmpdir(), "longshore-failover-"));
  const [first, second] = [join(root, "first"), join(root, "second")];
  await (await startEmbeddedPostgres(first)).stop();
  await cp(join(first, "data"), join(second, "data"), { recursive: true });
  await writeFile(join(second, "data", "standby.signal"), "");
  const primary = await openNode(t, first, {});
  const replication = await tcpProxy(primary.postgres.url);
  t.after(() => replication.close());
  const from = `host=127.0.0.1 port=${replication.port} user=postgres application_name=standby`;
  const standby = await openNode(t, second, { primary_conninfo: from });
  t.after(() => rm(root, { recursive: true, force: true }));
  const hosts = [primary, standby].map(({ proxy }) => `127.0.0.1:${proxy.port}`).join(",");
  return {
    primary,
    standby,
    replication,
    url: `postgresql://longshore@${hosts}/longshore?target_session_attrs=read-write`,
  };
}

/** From now on a commit is acknowledged after the standby has it. */
async function setSynchronous({ primary }: Cluster): Promise<void> {
  await primary.run("alter system set synchronous_standby_names = 'standby'");
  await primary.run("select pg_reload_conf()");
  await within("the setting", async () => {
    const { rows } = await primary.run("select sync_state from pg_stat_replication where application_name = 'standby'");
    return rows[0].sync_state === "sync";
  });
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // A connection that was closed in the meantime.
  }
}

interface Installation {
  /** Two of each role. */
  processes: Platform[];
  apis: Platform[];
  token: string;
  /** Begins another process, which ends by itself. */
  attempt(role: string): Promise<Ended>;
}

async function install(t: TestContext, { url }: Cluster): Promise<Installation> {
  const data = await mkdtemp(join(tmpdir(), "longshore-failover-data-"));
  const env = { DATABASE_URL: url, LONGSHORE_SECRET_KEY: newKey(), LONGSHORE_RATE_LIMIT: "1000000" };
  const start = async (role: string): Promise<Platform> => {
    const platform = await startPlatform(data, { ...env, LONGSHORE_ROLE: role, LONGSHORE_LOG_LEVEL: "error" });
    t.after(async () => {
      platform.signal("SIGKILL");
      await platform.ended;
    });
    return platform;
  };
  const first = await start("api");
  const others = await Promise.all(["api", "worker", "worker"].map(start));
  await longshore(["admin", "user", "--email", "alice@example.com", "--name", "Alice"], env);
  const args = ["--email", "alice@example.com", "--name", "test", "--permissions", "*", "--json"];
  const { stdout } = await longshore(["admin", "token", ...args], env);
  const { token } = JSON.parse(stdout) as { token: string };
  t.after(() => rm(data, { recursive: true, force: true }));
  const processes = [first, ...others];
  const attempt = (role: string) => longshore(["up", "--role", role, "--data", data, "--port", "0"], env);
  return { processes, apis: processes.filter(({ url }) => url !== ""), token, attempt };
}

/** What the clients saw. */
interface Load {
  statuses: Map<number, number>;
  /** What was wrong with refusals. */
  wrong: string[];
  acknowledged: string[];
  slowestMs: number;
  /** When the last answer that was no success came. */
  troubleUntil: number;
  stop(): Promise<void>;
}

/** Two clients at each API, which write and read one after the other. */
function beginLoad(t: TestContext, { apis, token }: Installation): Load {
  let isOver = false;
  const load = {
    statuses: new Map<number, number>(),
    wrong: [] as string[],
    acknowledged: [] as string[],
    slowestMs: 0,
    troubleUntil: 0,
  };
  const client = async (url: string, name: string): Promise<void> => {
    const { answer } = api({ url, token });
    for (let n = 0; !isOver; n++) {
      const group = `${name} ${n}`;
      const write = () => answer("POST /api/v1/project-groups", { body: { name: group } });
      for (const request of [write, () => answer("GET /api/v1/me")]) {
        const begunAt = performance.now();
        const { status, headers, body } = await request();
        load.statuses.set(status, (load.statuses.get(status) ?? 0) + 1);
        load.slowestMs = Math.max(load.slowestMs, performance.now() - begunAt);
        if (status >= 400) load.troubleUntil = performance.now();
        if (status >= 400 && !headers.has("Retry-After")) load.wrong.push(`${status}: ${JSON.stringify(body)}`);
        if (status === 201) load.acknowledged.push(group);
      }
      await pause(50);
    }
  };
  t.after(() => {
    isOver = true;
  });
  const clients = Promise.all(apis.flatMap(({ url }, at) => [client(url, `a${at}`), client(url, `b${at}`)]));
  return Object.assign(load, {
    stop: async () => {
      isOver = true;
      await clients;
    },
  });
}

/** The names of the events of a stream that stays open, also while the database is away. */
async function listen(t: TestContext, { apis, token }: Installation): Promise<string[]> {
  const stop = new AbortController();
  t.after(() => stop.abort());
  const events = await api({ url: apis[0]?.url as string, token })("GET /api/v1/events", { signal: stop.signal });
  const names: string[] = [];
  const read = async (): Promise<void> => {
    for await (const text of events.pipeThrough(new TextDecoderStream())) {
      names.push(...[...text.matchAll(/^event: (.*)$/gm)].map(([, name = ""]) => name));
    }
  };
  void read().catch(() => {});
  return names;
}

/** Records an event as a process that ended before it had a position: a worker finds it. Resolves with its id. */
async function recordEvent(node: Node): Promise<number> {
  const { rows } = await node.run(
    "insert into events (organization_id, name, data) values (1, 'project.updated', '{\"id\": 1}') returning id",
  );
  return Number(rows[0].id);
}

/** The load records others all the time. */
const isEventPlaced = async (node: Node, id: number): Promise<boolean> =>
  (await node.run(`select 1 from events where id = ${id} and position is not null`)).rowCount === 1;

/** How many processes have divided the monitors among themselves in the last seconds. */
const workersAt = async (node: Node): Promise<number> => {
  const since = "seen_at > clock_timestamp() - interval '5 seconds'";
  const { rows } = await node.run(`select count(distinct owner)::int as count from shard_members where ${since}`);
  return rows[0].count as number;
};

/** Adds a job that has nothing to do; a worker completes it. */
const addJob = (node: Node): Promise<pg.QueryResult> =>
  node.run(`insert into queue.job (name, data) values ('dispatch-deployments', '{"serverIds": [999999]}')`);

const areJobsDone = async (node: Node): Promise<boolean> =>
  (await node.run("select 1 from queue.job where state < 'completed' and name = 'dispatch-deployments'")).rowCount ===
  0;

const within = async (what: string, look: () => Promise<boolean>): Promise<void> => {
  const isDone = await pollUntil(() => look().catch(() => false), { timeoutMs: limitMs, everyMs: 200 });
  assert.ok(isDone, `${what} within ${limitMs / 1_000} s`);
};

const health = async ({ apis }: Installation): Promise<number[]> =>
  Promise.all(apis.map(async ({ url }) => (await fetch(`${url}/api/v1/health`)).status));

/** All parts work on this node, and clients saw nothing but outages until soon after `since`. */
async function assertWorks(installation: Installation, node: Node, load: Load, since: number): Promise<void> {
  await within("health", async () => (await health(installation)).every((status) => status === 200));
  await addJob(node);
  const event = await recordEvent(node);
  await within("the queue", () => areJobsDone(node));
  await within("a schedule", () => isEventPlaced(node, event));
  await within("both workers", async () => (await workersAt(node)) === 2);
  const before = load.acknowledged.length;
  await within("writes", async () => load.acknowledged.length > before + 20);
  await load.stop();
  assert.ok(load.troubleUntil - since < limitMs, `trouble for ${load.troubleUntil - since} ms`);
  assert.ok(load.slowestMs < limitMs, `one request took ${load.slowestMs} ms`);
  assert.deepEqual([...load.statuses.keys()].sort(), [200, 201, 503]);
  assert.deepEqual(load.wrong, []);
  const isRunning = await Promise.all(
    installation.processes.map(({ ended }) => Promise.race([ended.then(() => false), Promise.resolve(true)])),
  );
  assert.deepEqual(isRunning, [true, true, true, true]);
}

async function assertKept(node: Node, names: readonly string[]): Promise<void> {
  const { rows } = await node.run("select name from project_groups");
  const kept = new Set(rows.map((row: { name: string }) => row.name));
  assert.deepEqual(
    names.filter((name) => !kept.has(name)),
    [],
  );
}

/** Ends all processes of the primary at once; resolves when it is gone, and its host refuses connections. */
async function killPrimary({ primary }: Cluster): Promise<void> {
  for (const pid of await postgresProcessesOf(join(primary.directory, "data"))) kill(pid);
  await primary.postgres.ended;
}

// Deployments under way ----------------------------------------------------------------------------------------------------

const projectCount = 4;

/** Counts that it was begun, and ends when the test lets it. */
const build = `echo begun >> "$HOME/builds"; until [[ -e $HOME/go ]]; do sleep 0.1; done`;

type Places = Pick<Stage, "client" | "serverId" | "server" | "git" | "bash">;

/** A server of the installation that fetches from a git server. */
async function openServer(t: TestContext, installation: Installation): Promise<Places> {
  const name = `failover-${process.pid}`;
  const client: Api = api({ url: installation.apis[1]?.url as string, token: installation.token });
  t.after(() => downServer(name));
  const added = await provisionedServer({ client }, name);
  const directory = await mkdtemp(join(tmpdir(), "longshore-failover-git-"));
  const git = await startGitFor(added.server, directory);
  t.after(async () => {
    await git.close();
    await rm(directory, { recursive: true, force: true });
  });
  return { client, git, bash: bashOn(name), ...added };
}

async function installProjects(places: Places): Promise<Project[]> {
  const names = Array.from({ length: projectCount }, (_, at) => `site-${at}`);
  const files = { "index.html": "version 1", "build.sh": "true" };
  const projects = names.map((name) => installProject(places, { name, files, commands: { build: "bash build.sh" } }));
  const installed = await Promise.all(projects);
  for (const name of names) await places.git.commit(name, { files: { "index.html": "version 2", "build.sh": build } });
  return installed;
}

const linesIn = async ({ bash }: Places, { home }: Project, file: string): Promise<number> =>
  Number(await bash(`cat ${home}/home/${file} 2> /dev/null | wc -l`));

/** How many releases of the project were made. */
const releasesOf = ({ bash }: Places, { home }: Project): Promise<string> => bash(`ls ${home}/releases | wc -l`);

describe("a failover of PostgreSQL", () => {
  it("after the primary was killed costs seconds of 503, no acknowledged write, and no process", async (t) => {
    const cluster = await openCluster(t);
    const installation = await install(t, cluster);
    await setSynchronous(cluster);
    const load = beginLoad(t, installation);
    await within("writes", async () => load.acknowledged.length > 20);
    await killPrimary(cluster);
    // A standby that is not promoted yet is an outage, also for those who only read.
    await within("503", async () => (await health(installation)).every((status) => status === 503));
    const refused = await installation.attempt("worker");
    assert.equal(refused.exitCode, 1);
    assert.match(refused.stderr, /^longshore: .*standby/m);
    await cluster.standby.run("select pg_promote()");
    await assertWorks(installation, cluster.standby, load, performance.now());
    await assertKept(cluster.standby, load.acknowledged);
  });

  it("after the primary vanished without a word, and with a standby that lacks the last changes", async (t) => {
    const cluster = await openCluster(t);
    const installation = await install(t, cluster);
    const events = await listen(t, installation);
    const load = beginLoad(t, installation);
    await within("writes", async () => load.acknowledged.length > 20);
    const { lsn } = (await cluster.primary.run("select pg_current_wal_lsn() as lsn")).rows[0] as { lsn: string };
    const sent = [...load.acknowledged];
    const hasAll = `select pg_last_wal_replay_lsn() >= '${lsn}' as ok`;
    await within("replication", async () => (await cluster.standby.run(hasAll)).rows[0].ok);
    cluster.replication.swallow();
    for (let n = 1; n <= 5; n++) await recordEvent(cluster.primary);
    await within("events", async () => events.length >= 5);
    cluster.primary.proxy.swallow();
    await cluster.standby.run("select pg_promote()");
    await assertWorks(installation, cluster.standby, load, performance.now());
    await assertKept(cluster.standby, sent);
    await within("events.missed", async () => events.includes("events.missed"));
    await recordEvent(cluster.standby);
    await within("the next event", async () => events.at(-1) === "project.updated");
  });

  it("lets deployments under way end, each once", lengthy, async (t) => {
    const cluster = await openCluster(t);
    const installation = await install(t, cluster);
    const places = await openServer(t, installation);
    const projects = await installProjects(places);
    await setSynchronous(cluster);
    const load = beginLoad(t, installation);
    const deployments = await Promise.all(projects.map(({ id }) => deploy(places.client, id)));
    const haveBegun = () =>
      Promise.all(projects.map(async (project) => (await linesIn(places, project, "builds")) > 0));
    // A server carries out some at once; the others wait for their turn during the failover.
    await waitFor("a build", async () => (await haveBegun()).includes(true), waiting);
    await killPrimary(cluster);
    await within("503", async () => (await health(installation)).every((status) => status === 503));
    await cluster.standby.run("select pg_promote()");
    await assertWorks(installation, cluster.standby, load, performance.now());
    for (const { home } of projects) await places.bash(`touch ${home}/home/go`);
    for (const [at, project] of projects.entries()) {
      const ended = await endOf(places, deployments[at] as number);
      assert.equal(ended.status, 1, String(ended.error));
      assert.equal(await linesIn(places, project, "builds"), 1, "its build ran once");
      assert.equal(await bodyOf(places, project), "version 2");
      const params = { id: project.id };
      const all = await places.client("GET /api/v1/projects/{id}/deployments", { params });
      assert.deepEqual([all.total_items, await releasesOf(places, project)], [2, "2"]);
    }
    await assertKept(cluster.standby, load.acknowledged);
  });
});
