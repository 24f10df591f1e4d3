import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { runCommand } from "../sandbox/command.ts";
import { startEmbeddedPostgres } from "../src/db/embedded.ts";
import { waitFor } from "../stage/api-client.ts";
import { startDnsServer } from "../stage/dns-server.ts";
import { startProcess } from "../stage/fixture.ts";
import { freePort } from "../stage/free-port.ts";
import { selfSigned } from "../stage/self-signed.ts";
import { fillDatabase } from "./api-data.ts";
import type { Benchmark, Session } from "./benchmark.ts";
import { measureExporter, type Probed } from "./blackbox.ts";
import { cpuSecondsOf } from "./cpu.ts";
import { watchMemory } from "./memory.ts";
import { doomedCount, type SitesReady, secureName, siteUrls } from "./monitored-sites.ts";
import { processTree } from "./start.ts";

const intervalSeconds = 60;
const timeoutSeconds = 10;

const bars = { observedSeconds: 30, p99Seconds: 2, cpuPercent: 60, megabytes: 250, apiShare: 0.7, fallSeconds: 100 };

const wholeCount = 10_000;
const secondsEach = Number(process.env.BENCH_SECONDS ?? intervalSeconds);

export const monitorsBenchmark: Benchmark = {
  name: "monitors",
  what: `${wholeCount.toLocaleString("en-US")} HTTP monitors at ${intervalSeconds} s in one process with the API, half of them with TLS`,
  comparedTo: "the same process without monitors, for reads of the API; prometheus-blackbox-exporter, for checks",
  async run(session) {
    const seconds = session.quick ? 10 : secondsEach;
    const count = session.quick ? 1_000 : wholeCount;
    const sites = await startSites(session);
    const perSecond = count / intervalSeconds;
    const exporter = await measureExporter(session, {
      // It has no setting for a DNS server that resolves the name.
      urls: siteUrls(sites, { count, secureHost: "127.0.0.1" }),
      ...{ perSecond, seconds, timeoutSeconds },
      ...{ certificateFile: sites.certificateFile, serverName: secureName },
    });
    const stage = await startStage(session, sites, count);
    session.update("reads of the API without monitors");
    await load(stage, 5);
    const { perSecond: idle } = await load(stage, session.quick ? 3 : secondsEach / 4);
    session.update(`until ${count} monitors were observed`);
    const observedSeconds = await activate(stage);
    session.update("checks alone");
    const quiet = await during(stage, () => pause(seconds * 1_000));
    session.update("checks and reads of the API");
    const busy = await during(stage, () => load(stage, seconds));
    const { perSecond: read, failed } = busy.result;
    session.update("until a stopped site is down");
    const fallSeconds = await stopSite(stage, sites);
    const falseAlarms = await countFalls(stage);
    const started = Math.round(quiet.started / quiet.seconds);
    const megabytes = Math.max(quiet.megabytes, busy.megabytes);
    const byExporter = (value: keyof Probed) =>
      exporter.probed ? [{ to: "blackbox exporter", value: exporter.probed[value] }] : [];
    const missed = (what: string, isMissed: boolean) => (isMissed ? [what] : []);
    return {
      measurements: [
        { what: "from their creation until all were observed", unit: "s", value: observedSeconds },
        {
          what: "checks each second",
          unit: "checks",
          value: started,
          compared: [{ to: "each monitor once an interval", value: Math.round(perSecond) }, ...byExporter("perSecond")],
        },
        { what: "lateness of checks, 99th percentile", unit: "ms", value: quiet.p99Ms },
        { what: "the same while the API is read", unit: "ms", value: busy.p99Ms },
        {
          what: "CPU of one core, the process",
          unit: "%",
          value: quiet.cpuPercent,
          compared: byExporter("cpuPercent"),
        },
        { what: "CPU of one core, PostgreSQL beside it", unit: "%", value: quiet.postgresPercent },
        {
          what: "memory of the process, at most (PSS)",
          unit: "MB",
          value: megabytes,
          compared: byExporter("megabytes"),
        },
        { what: "memory of PostgreSQL (PSS)", unit: "MB", value: busy.postgresMegabytes },
        {
          what: "reads of the API each second",
          unit: "requests",
          value: read,
          compared: [{ to: "without monitors", value: idle }],
        },
        { what: "from the stop of a site until all of its monitors are down", unit: "s", value: fallSeconds },
        { what: "false alarms", unit: "failed", value: falseAlarms, compared: byExporter("failed") },
      ],
      notes: [exporter.note],
      failures: [
        ...missed("Not all monitors were observed within half an interval", observedSeconds > bars.observedSeconds),
        ...missed(`${started} checks a second are not one of each monitor an interval`, !isAbout(started, perSecond)),
        ...missed("Checks were late", Math.max(quiet.p99Ms, busy.p99Ms) > bars.p99Seconds * 1_000),
        ...missed("The checks took too much CPU", quiet.cpuPercent > bars.cpuPercent),
        ...missed("The process took too much memory", megabytes > bars.megabytes),
        ...missed("The API became too slow", read < bars.apiShare * idle),
        ...missed(`${failed} reads of the API failed beside the checks`, failed > 0),
        ...missed("The verdict on a stopped site came late", fallSeconds > bars.fallSeconds),
        ...missed(`${falseAlarms} monitors went down whose sites were up`, falseAlarms > 0),
      ],
    };
  },
};

// The processes --------------------------------------------------------------------------------------------------------------

interface Sites extends SitesReady {
  process: ChildProcess;
  certificateFile: string;
}

async function startSites(session: Session): Promise<Sites> {
  session.update("starting the sites");
  const { certificate, private_key: key } = await selfSigned([secureName]);
  const [certificateFile, keyFile] = ["certificate.pem", "key.pem"].map((name) => join(session.directory, name)) as [
    string,
    string,
  ];
  await Promise.all([writeFile(certificateFile, certificate), writeFile(keyFile, key, { mode: 0o600 })]);
  const child = fork(join(import.meta.dirname, "monitored-sites.ts"), [certificateFile, keyFile]);
  session.cleanUp(async () => child.kill());
  const [ready] = (await once(child, "message")) as [SitesReady];
  return { ...ready, process: child, certificateFile };
}

interface Stage {
  url: string;
  token: string;
  pid: number;
  postgresPid: number;
  metricsPort: number;
  database: pg.Client;
}

async function startStage(session: Session, sites: Sites, count: number): Promise<Stage> {
  session.update("starting the platform");
  const postgres = await startEmbeddedPostgres(join(session.directory, "postgres"));
  session.cleanUp(postgres.stop);
  const dns = await startDnsServer({ [secureName]: { A: ["127.0.0.1"] } });
  session.cleanUp(dns.close);
  const metricsPort = await freePort();
  const env = {
    ...{ DATABASE_URL: postgres.url, LONGSHORE_DNS: dns.address, LONGSHORE_METRICS_PORT: String(metricsPort) },
    ...{ LONGSHORE_MONITOR_ALLOW: "127.0.0.0/8", LONGSHORE_SECOND_OPINION: "off" },
    NODE_EXTRA_CA_CERTS: sites.certificateFile,
  };
  const dataDirectory = join(session.directory, "data");
  // The first start makes the tables.
  await (await startProcess({ dataDirectory, env })).stop();
  const tokens = await fillDatabase(postgres.url, 1);
  const database = new pg.Client(postgres.url);
  await database.connect();
  session.cleanUp(() => database.end());
  await addMonitors(database, sites, count);
  const platform = await startProcess({ dataDirectory, env });
  session.cleanUp(platform.stop);
  const { url, pid } = platform;
  return { url, token: tokens.owner, pid, postgresPid: postgres.pid, metricsPort, database };
}

/** Inactive ones. */
async function addMonitors(database: pg.Client, sites: Sites, count: number): Promise<void> {
  await database.query("update organizations set plan = 'business'");
  // No server responds here, and no worker must connect to them.
  await database.query("update servers set server_status = 0");
  await database.query(
    `insert into monitors (organization_id, project_id, type, target, name, is_active, url, method, interval_seconds,
       timeout_seconds)
     select organization_id, id, 'http', 'project', 'site ' || n, false, url, 'GET', ${intervalSeconds}, ${timeoutSeconds}
     from unnest($1::text[]) with ordinality site (url, n) join projects on id = 1 + n % 1000
     order by n`,
    [siteUrls(sites, { count })],
  );
  await database.query("analyze");
}

// What is measured -------------------------------------------------------------------------------------------------------------

/** Activates all monitors; seconds until each of them has its first verdict. */
async function activate({ database }: Stage): Promise<number> {
  await database.query("update monitors set is_active = true");
  await database.query("notify longshore_monitors");
  const startedAt = performance.now();
  await waitFor(
    "all monitors to be observed",
    async () => (await numberOf(database, "select count(*) from monitors where current_status <> 'up'")) === 0,
    { timeoutMs: 300_000, intervalMs: 500 },
  );
  return (performance.now() - startedAt) / 1_000;
}

/** Stops the site of some monitors; seconds until the last of them is down. */
async function stopSite({ database }: Stage, { process: sites }: Sites): Promise<number> {
  sites.send("stop");
  await once(sites, "message");
  const startedAt = performance.now();
  const down = `select count(*) from monitors where current_status = 'down' and id <= ${doomedCount}`;
  await waitFor("the stopped site to be down", async () => (await numberOf(database, down)) === doomedCount, {
    timeoutMs: 300_000,
    intervalMs: 200,
  });
  return (performance.now() - startedAt) / 1_000;
}

const countFalls = ({ database }: Stage): Promise<number> =>
  numberOf(database, `select count(*) from monitor_events where status = 'down' and monitor_id > ${doomedCount}`);

const numberOf = async (database: pg.Client, query: string): Promise<number> =>
  Number(((await database.query(query)).rows[0] as { count: string }).count);

const connections = 32;

/** Reads projects for some seconds. */
async function load({ url, token }: Stage, seconds: number): Promise<{ perSecond: number; failed: number }> {
  const shape = ["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "10s"];
  const script = ["-s", join(import.meta.dirname, "api.lua"), "-H", `Authorization: Bearer ${token}`, url];
  const path = "/api/v1/projects/{id}";
  const ids = Array.from({ length: 1_000 }, (_, at) => at + 1).join(",");
  const { stdout, stderr } = await runCommand(["wrk", ...shape, ...script, "--", path, ids, "1"]);
  const line = /^load (\{.*\})$/m.exec(stdout)?.[1];
  if (!line) throw new Error(`wrk ended without a result:\n${stdout}${stderr}`);
  const { requests, failed, seconds: took } = JSON.parse(line) as Record<"requests" | "failed" | "seconds", number>;
  return { perSecond: Math.round(requests / took), failed };
}

interface Measured {
  seconds: number;
  /** Checks that began. */
  started: number;
  p99Ms: number;
  cpuPercent: number;
  postgresPercent: number;
  megabytes: number;
  postgresMegabytes: number;
}

async function during<Done>(stage: Stage, work: () => Promise<Done>): Promise<Measured & { result: Done }> {
  const memory = watchMemory(stage.pid);
  const before = await look(stage);
  const result = await work();
  const after = await look(stage);
  const postgres = await processTree(stage.postgresPid);
  const seconds = (after.at - before.at) / 1_000;
  const late = after.late.map(({ limit, count }, at) => ({ limit, count: count - (before.late[at]?.count ?? 0) }));
  return {
    result,
    seconds,
    started: late.at(-1)?.count ?? 0,
    p99Ms: 1_000 * percentileOf(late, 0.99),
    cpuPercent: (100 * (after.cpu - before.cpu)) / seconds,
    postgresPercent: (100 * (after.postgresCpu - before.postgresCpu)) / seconds,
    megabytes: memory.stop().most,
    postgresMegabytes: postgres.reduce((all, { megabytes }) => all + megabytes, 0),
  };
}

interface Class {
  /** Seconds. */
  limit: number;
  /** At most as late. */
  count: number;
}

async function look({ pid, postgresPid, metricsPort }: Stage) {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const found = text.matchAll(/^longshore_monitor_check_lateness_seconds_bucket\{le="([^"]+)"\} (\d+)$/gm);
  const late: Class[] = [...found].map(([, limit, count]) => ({ limit: Number(limit), count: Number(count) }));
  const [cpu, postgresCpu] = [await cpuSecondsOf(pid), await cpuSecondsOf(postgresPid, { withChildren: true })];
  return { at: performance.now(), late, cpu, postgresCpu };
}

/** In a quick run chance and rounding may cause differences of up to 20 %. */
const isAbout = (value: number, wanted: number): boolean => Math.abs(value - wanted) <= Math.max(1, 0.2 * wanted);

/** Interpolated within the class. */
function percentileOf(classes: readonly Class[], share: number): number {
  const wanted = share * (classes.at(-1)?.count ?? 0);
  const at = classes.findIndex(({ count }) => count >= wanted);
  const [below, found] = [classes[at - 1] ?? { limit: 0, count: 0 }, classes[at]];
  if (!found || Number.isNaN(found.limit) || found.count === below.count)
    return Number.isNaN(found?.limit) ? 60 : below.limit;
  return below.limit + ((found.limit - below.limit) * (wanted - below.count)) / (found.count - below.count);
}
