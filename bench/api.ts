import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import pg from "pg";
import { runCommand } from "../sandbox/command.ts";
import { startEmbeddedPostgres } from "../src/db/embedded.ts";
import { startProcess } from "../stage/fixture.ts";
import { freePort } from "../stage/free-port.ts";
import { fillDatabase, recordsAt, type Tokens } from "./api-data.ts";
import { type Benchmark, type Measurement, median, type Result, type Session } from "./benchmark.ts";

const rounds = 3;
const secondsEach = Number(process.env.BENCH_SECONDS ?? 3);
const warmUpSeconds = 6;
const connections = 32;
const wholeScale = Number(process.env.BENCH_SCALE ?? 100);

/** The limits for the API, for each kind of caller. */
const bars = { owner: 0.6, restricted: 0.4, p99Ms: 50, growth: 1.2 };

/** One address, with what of it a restricted member can ask for; `{N}` is a number up to N, `{id}` one of `ids`. */
interface Route {
  name: string;
  path: string;
  /** Records of the kind, for reads: the ids that an owner asks for. */
  highest?: "servers" | "projects" | "deployments";
  /** Of those, the ones on the ten servers that the restricted member reaches. */
  restrictedIds?: (scale: number) => number[];
}

const restrictedServers = Array.from({ length: 10 }, (_, at) => at + 1);
/** Project n is on server 1 + n mod servers. */
const projectsOn = (scale: number): number[] => {
  const { servers, projects } = recordsAt(scale);
  return restrictedServers.flatMap((server) =>
    Array.from({ length: projects / servers }, (_, at) => server - 1 + at * servers).filter((id) => id > 0),
  );
};
/** Deployment n is of project 1 + n mod projects. */
const deploymentsOn = (scale: number): number[] =>
  projectsOn(scale)
    .map((id) => id - 1)
    .filter((id) => id > 0);

const routes: Route[] = [
  { name: "list servers", path: "/api/v1/servers?page={10}" },
  { name: "read a server", path: "/api/v1/servers/{id}", highest: "servers", restrictedIds: () => restrictedServers },
  { name: "list projects", path: "/api/v1/projects?page={10}" },
  { name: "read a project", path: "/api/v1/projects/{id}", highest: "projects", restrictedIds: projectsOn },
  {
    name: "list deployments",
    path: "/api/v1/projects/{id}/deployments?page=1",
    highest: "projects",
    restrictedIds: projectsOn,
  },
  {
    name: "read a deployment",
    path: "/api/v1/deployments/{id}",
    highest: "deployments",
    restrictedIds: deploymentsOn,
  },
];

/** What a console reads for its first screen. No bare route has these: they only have limits. */
const firstScreen = [
  "/api/v1/overview",
  "/api/v1/attention",
  "/api/v1/activity",
  "/api/v1/projects?view=summary&sort=-last_deployed_at&page={10}",
  "/api/v1/projects?view=summary&q=project-{1000}",
  "/api/v1/projects?view=summary&state=failed&sort=name",
  "/api/v1/projects/facets",
  "/api/v1/deployments?per_page=25",
  "/api/v1/deployments?per_page=25&status=failed",
  "/api/v1/deployments?per_page=25&q=requested",
  "/api/v1/search?q=project-{1000}",
  "/api/v1/search?q=ect-{1000}",
  "/api/v1/domains?page={10}",
];

/** `BENCH_READS=first-screen` measures these in place of the lists and reads. */
const isFirstScreen = process.env.BENCH_READS === "first-screen";

/** The limits of the 99th percentile for them, by connections. */
const firstScreenBars = [
  { connections: 1, p99Ms: 50 },
  { connections, p99Ms: 150 },
];

const who = [
  "bare",
  "owner",
  "restricted",
  "owner, a hundredth of the data",
  "restricted, a hundredth of the data",
] as const;
type Who = (typeof who)[number];

export const apiBenchmark: Benchmark = {
  name: "api",
  what: `${isFirstScreen ? "the reads of a first screen" : "lists and reads"} with ${describe(wholeScale)}, at ${connections} connections`,
  comparedTo: "Fastify and pg with the same query, without users, permissions, limits, counts and log",
  async run(session) {
    const postgres = await startEmbeddedPostgres(join(session.directory, "postgres"));
    session.cleanUp(postgres.stop);
    if (isFirstScreen) return measureFirstScreen(session, await startStage(session, postgres.url, wholeScale));
    const small = await startStage(session, postgres.url, 1);
    const whole = await startStage(session, postgres.url, wholeScale);
    const bare = await startBare(session, whole.databaseUrl);
    const measurements: Measurement[] = [];
    const failures: string[] = [];
    for (const route of routes) {
      const seen = await measure(session, route, {
        bare: { url: bare, token: "", ids: idsOf(route, wholeScale) },
        owner: { url: whole.url, token: whole.tokens.owner, ids: idsOf(route, wholeScale) },
        restricted: { url: whole.url, token: whole.tokens.restricted, ids: route.restrictedIds?.(wholeScale) ?? [] },
        "owner, a hundredth of the data": { url: small.url, token: small.tokens.owner, ids: idsOf(route, 1) },
        "restricted, a hundredth of the data": {
          url: small.url,
          token: small.tokens.restricted,
          ids: route.restrictedIds?.(1) ?? [],
        },
      });
      measurements.push(...tell(route, seen));
      failures.push(...missed(route, seen));
    }
    return { measurements, failures };
  },
};

async function measureFirstScreen(session: Session, { url, tokens }: Stage): Promise<Result> {
  const result: Result = { measurements: [], failures: [] };
  for (const path of firstScreen) {
    for (const caller of ["owner", "restricted"] as const) {
      const side = { url, token: tokens[caller], ids: [] };
      for (const bar of firstScreenBars) {
        const what = `${path}, ${caller}, at ${bar.connections}`;
        session.update(what);
        await load({ path }, side, { seconds: 1, connections: bar.connections });
        const { p99Ms, failed } = seenIn([await load({ path }, side, { connections: bar.connections })]);
        result.measurements.push({ what: `${what}, p99`, unit: "ms", value: p99Ms });
        if (p99Ms > bar.p99Ms) result.failures.push(`${what}: p99 of ${p99Ms.toFixed(0)} ms, not ${bar.p99Ms} ms`);
        if (failed > 0) result.failures.push(`${what}: ${failed} failed`);
      }
    }
  }
  return result;
}

function describe(scale: number): string {
  const { servers, projects, deployments } = recordsAt(scale);
  const number = (value: number): string => value.toLocaleString("en-US");
  return `${number(servers)} servers, ${number(projects)} projects and ${number(deployments)} deployments`;
}

const sample = 2_000;

/** Ids at random out of all that there are; everything when there are few. */
function idsOf({ highest }: Route, scale: number): number[] {
  if (!highest) return [];
  const count = recordsAt(scale)[highest];
  return Array.from({ length: Math.min(count, sample) }, () => 1 + Math.floor(Math.random() * count));
}

// The processes --------------------------------------------------------------------------------------------------------------

interface Stage {
  url: string;
  databaseUrl: string;
  tokens: Tokens;
}

/** A platform of its own on a filled database of its own. */
async function startStage(session: Session, postgresUrl: string, scale: number): Promise<Stage> {
  session.update(`fill a database: ${describe(scale)}`);
  const name = `scale_${scale}`;
  const databaseUrl = await createDatabase(postgresUrl, name);
  const dataDirectory = join(session.directory, name);
  // The first start makes the tables; the owner and the records come before the one that is measured.
  const env = { DATABASE_URL: databaseUrl, LONGSHORE_ROLE: "api" };
  const first = await startProcess({ dataDirectory, env });
  await first.stop();
  const tokens = await fillDatabase(databaseUrl, scale);
  const platform = await startProcess({ dataDirectory, env });
  session.cleanUp(platform.stop);
  return { url: platform.url, databaseUrl, tokens };
}

async function createDatabase(postgresUrl: string, name: string): Promise<string> {
  const superuser = new pg.Client(postgresUrl.replace("user=longshore", "user=postgres"));
  await superuser.connect();
  await superuser.query(`create database ${name} owner longshore`);
  await superuser.end();
  return postgresUrl.replace("/longshore?", `/${name}?`);
}

async function startBare(session: Session, databaseUrl: string): Promise<string> {
  const port = await freePort();
  const bare = fork(join(import.meta.dirname, "api-bare.ts"), [databaseUrl, String(port)], { stdio: "inherit" });
  session.cleanUp(async () => bare.kill());
  await once(bare, "message");
  return `http://127.0.0.1:${port}`;
}

// The load -------------------------------------------------------------------------------------------------------------------

interface Side {
  url: string;
  token: string;
  ids: number[];
}

interface Load {
  requests: number;
  seconds: number;
  failed: number;
  p50Us: number;
  p99Us: number;
}

interface Seen {
  perSecond: number;
  p99Ms: number;
  failed: number;
}

/** Takes turns, so that other load on the machine affects all alike; medians of the rounds. */
async function measure(session: Session, route: Route, sides: Record<Who, Side>): Promise<Record<Who, Seen>> {
  const loads: Record<Who, Load[]> = Object.fromEntries(who.map((each) => [each, []])) as never;
  // Warms up until the JIT has compiled a route's code: a real server runs for weeks.
  for (const each of who) await load(route, sides[each], { seconds: warmUpSeconds });
  for (let round = 1; round <= rounds; round++) {
    for (const each of who) {
      session.update(`${route.name}, ${each}, round ${round} of ${rounds}`);
      loads[each].push(await load(route, sides[each]));
    }
  }
  return Object.fromEntries(who.map((each) => [each, seenIn(loads[each])])) as Record<Who, Seen>;
}

const seenIn = (loads: Load[]): Seen => ({
  perSecond: Math.round(median(loads.map(({ requests, seconds }) => requests / seconds))),
  p99Ms: median(loads.map(({ p99Us }) => p99Us / 1_000)),
  failed: loads.reduce((sum, { failed }) => sum + failed, 0),
});

async function load(
  { path }: Pick<Route, "path">,
  { url, token, ids }: Side,
  { seconds = secondsEach, connections: at = connections } = {},
): Promise<Load> {
  const shape = ["-t1", `-c${at}`, `-d${seconds}s`, "--timeout", "10s"];
  const script = ["-s", join(import.meta.dirname, "api.lua"), "-H", `Authorization: Bearer ${token}`, url];
  const seed = Math.floor(Math.random() * 1e9);
  const { stdout, stderr } = await runCommand(["wrk", ...shape, ...script, "--", path, ids.join(","), String(seed)]);
  const line = /^load (\{.*\})$/m.exec(stdout)?.[1];
  if (!line) throw new Error(`wrk ended without a result:\n${stdout}${stderr}`);
  return JSON.parse(line) as Load;
}

// What it proves ---------------------------------------------------------------------------------------------------------------

function tell({ name }: Route, seen: Record<Who, Seen>): Measurement[] {
  return (["owner", "restricted"] as const).flatMap((each) => [
    {
      what: `${name}, ${each}, each second`,
      unit: "requests",
      value: seen[each].perSecond,
      compared: [
        { to: "bare route", value: seen.bare.perSecond },
        { to: "a hundredth of the data", value: seen[`${each}, a hundredth of the data`].perSecond },
      ],
    },
    { what: `${name}, ${each}, p99`, unit: "ms", value: seen[each].p99Ms },
  ]);
}

function missed({ name }: Route, seen: Record<Who, Seen>): string[] {
  const failures: string[] = [];
  for (const each of ["owner", "restricted"] as const) {
    const { perSecond, p99Ms } = seen[each];
    const share = perSecond / seen.bare.perSecond;
    const growth = seen[`${each}, a hundredth of the data`].perSecond / perSecond;
    if (share < bars[each]) failures.push(`${name}, ${each}: ${share.toFixed(2)} of the bare route, not ${bars[each]}`);
    if (p99Ms > bars.p99Ms) failures.push(`${name}, ${each}: p99 of ${p99Ms.toFixed(0)} ms, not ${bars.p99Ms} ms`);
    if (growth > bars.growth)
      failures.push(`${name}, ${each}: ${growth.toFixed(2)} times slower with 100 times the data`);
  }
  for (const each of who) if (seen[each].failed > 0) failures.push(`${name}, ${each}: ${seen[each].failed} failed`);
  return failures;
}
