import { join } from "node:path";
import pg from "pg";
import { startEmbeddedPostgres } from "../src/db/embedded.ts";
import { startProcess } from "../stage/fixture.ts";
import { type LoadResult, startLoad } from "../stage/load.ts";
import type { Benchmark, Session } from "./benchmark.ts";

// Requests from outside to monitors: reports of jobs, and visitors of status pages.

const heartbeats = 5_000;
/** Requests a second, and milliseconds at the 99th percentile. */
const bars = { pings: 5_000, pingP99Ms: 100, pages: 5_000 };
/** The load that Healthchecks publishes for its own service. */
const healthchecksPings = 250;
const seconds = { quick: 3, whole: 20 };
const warmUpSeconds = 5;

export const monitorIntakeBenchmark: Benchmark = {
  name: "monitors-intake",
  what: `reports of ${heartbeats.toLocaleString("en-US")} heartbeats, answered after the commit, and visits of a status page`,
  comparedTo: `${bars.pings.toLocaleString("en-US")} reports a second within ${bars.pingP99Ms} ms, and ${bars.pages.toLocaleString("en-US")} visits a second`,
  async run(session) {
    const postgres = await startEmbeddedPostgres(join(session.directory, "postgres"));
    session.cleanUp(postgres.stop);
    const env = { DATABASE_URL: postgres.url };
    const platform = await startProcess({ dataDirectory: join(session.directory, "platform"), env });
    session.cleanUp(platform.stop);
    session.update(`make ${heartbeats} heartbeats and a status page`);
    await fill(postgres.url);
    const pings = await measure(session, "reports", {
      url: platform.url,
      concurrency: 128,
      numbered: { path: "/ping/%040d", highest: heartbeats },
    });
    // A quick run may miss some by chance.
    const stored = session.quick ? heartbeats : await countReported(postgres.url);
    const pages = await measure(session, "visits", {
      url: `${platform.url}/status/shop`,
      concurrency: 64,
      compressed: true,
    });
    return {
      measurements: [
        {
          what: "reports a second",
          unit: "requests",
          value: pings.perSecond,
          compared: [
            { to: "bar", value: bars.pings },
            { to: "as Healthchecks publishes", value: healthchecksPings },
          ],
        },
        {
          what: "a report, 99th percentile",
          unit: "ms",
          value: pings.latencyMs.p99,
          compared: [{ to: "bar", value: bars.pingP99Ms }],
        },
        {
          what: "visits a second",
          unit: "requests",
          value: pages.perSecond,
          compared: [{ to: "bar", value: bars.pages }],
        },
        { what: "a visit, 99th percentile", unit: "ms", value: pages.latencyMs.p99 },
      ],
      failures: failuresOf(pings, pages, stored),
    };
  },
};

function failuresOf(pings: LoadResult, pages: LoadResult, stored: number): string[] {
  return [
    pings.failed > 0 && `${pings.failed} reports were not taken: ${pings.failures}.`,
    pings.perSecond < bars.pings && `${pings.perSecond} reports a second are less than ${bars.pings}.`,
    pings.latencyMs.p99 > bars.pingP99Ms && `The 99th percentile of a report is ${pings.latencyMs.p99} ms.`,
    stored < heartbeats && `Only ${stored} of ${heartbeats} heartbeats have a report.`,
    pages.failed > 0 && `${pages.failed} visits failed: ${pages.failures}.`,
    pages.perSecond < bars.pages && `${pages.perSecond} visits a second are less than ${bars.pages}.`,
  ].filter((failure) => failure !== false);
}

async function measure(
  session: Session,
  what: string,
  load: Pick<Parameters<typeof startLoad>[0], "url" | "concurrency" | "numbered" | "compressed">,
): Promise<LoadResult> {
  const options = { ...load, host: "bench.test", connections: "kept" as const };
  session.update(`${what}, warm up`);
  await startLoad({ ...options, maxSeconds: session.quick ? 1 : warmUpSeconds }).ended;
  const maxSeconds = session.quick ? seconds.quick : seconds.whole;
  session.update(`${what} for ${maxSeconds} s`);
  return startLoad({ ...options, maxSeconds }).ended;
}

async function withDatabase<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const countReported = (url: string): Promise<number> =>
  withDatabase(url, async (client) => {
    const { rows } = await client.query(
      "select count(last_ping_at)::int as count from monitors where job_id is not null",
    );
    return rows[0].count;
  });

/** Heartbeats that are up, whose tokens are their numbers with 40 digits, and a page of 20 of them with 90 days of history. */
const fill = (url: string): Promise<void> =>
  withDatabase(url, async (client) => {
    await client.query(`
      with organization as (
        insert into organizations (name, plan) values ('Bench', 'business') returning id
      ), server as (
        insert into servers (organization_id, name, public_ip, ssh_private_key, ssh_public_key, server_os)
        select id, 'bench', '192.0.2.1', '\\x00', 'ssh-ed25519 AAAA', 'debian_12' from organization
        returning id, organization_id
      ), project as (
        insert into projects (organization_id, server_id, name, framework_id, repository_type, repository, repository_branch)
        select organization_id, id, 'bench', 10, 'git', 'https://git.example.com/a.git', 'main' from server
        returning id, organization_id, server_id
      ), placement as (
        insert into placements (project_id, server_id, role) select id, server_id, 'own' from project
      ), site as (
        insert into sites (project_id) select id from project
      ), job as (
        insert into project_jobs (project_id, kind, name, command, cron_expression)
        select id, 'scheduled', 'job ' || n, 'true', '* * * * *' from project, generate_series(1, ${heartbeats}) n
        returning id, name
      )
      insert into monitors (organization_id, project_id, type, target, job_id, name, ping_token, ping_digest, current_status,
        last_status_changed_at, last_end_at, last_end_kind, due_at, observed_until)
      select p.organization_id, p.id, 'heartbeat', 'scheduled', j.id, j.name, '\\x00',
        sha256(convert_to(lpad(substr(j.name, 5), 40, '0'), 'UTF8')), 'up', now(), now(), 'success',
        now() + interval '1 day', now() + interval '1 day'
      from job j, project p`);
    await client.query(`
      with page as (
        insert into status_pages (organization_id, name, slug) select id, 'Shop', 'shop' from organizations returning id
      )
      insert into status_page_monitors (page_id, monitor_id, position)
      select page.id, m.id, m.id from page, (select id from monitors order by id limit 20) m`);
    await client.query(`
      insert into monitor_intervals (monitor_id, state, started_at, ended_at)
      select m.id, case when n % 7 = 0 then 'down' else 'up' end, now() - n * interval '12 hours',
        now() - (n - 1) * interval '12 hours'
      from (select id from monitors order by id limit 20) m, generate_series(1, 180) n`);
  });
