import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Output } from "./cli/output.ts";
import { type Config, keySource } from "./config.ts";
import type { Context } from "./context.ts";
import { saveAddress } from "./db/address.ts";
import { prepareDirectory } from "./db/data-directory.ts";
import { checkKey, hasKeyCheck } from "./db/key-check.ts";
import { migrate } from "./db/migrate.ts";
import { openPool } from "./db/pool.ts";
import { placeEventsOf } from "./engine/events.ts";
import { Listener } from "./engine/listener.ts";
import { Queue } from "./engine/queue/queue.ts";
import { type JobHandler, Worker } from "./engine/queue/worker.ts";
import { continueAfter } from "./engine/runs/last-ids.ts";
import { Scheduler } from "./engine/schedule/scheduler.ts";
import { cloudDrivers } from "./features/cloud-servers/providers/connection.ts";
import { pinHostKey } from "./features/servers/connecting/queries.ts";
import { addressSeen, followAddresses, loginOf } from "./features/servers/connections.ts";
import { findServerForWork } from "./features/servers/queries.ts";
import { makeSetupCode, setupPage } from "./features/sign-in/setup/actions.ts";
import { countsOf, descriptionsOf, features, hooksOf, jobsOf, routesOf, schedulesOf } from "./features.ts";
import { Hosts, type HostsOptions } from "./host/ssh/hosts.ts";
import { certificateInFiles } from "./http/tls/own-files.ts";
import { watchDisk } from "./lib/disk.ts";
import { AppError, notFound } from "./lib/errors.ts";
import type { Logger } from "./lib/log.ts";
import { addCounts } from "./lib/metrics.ts";
import { watchNewestVersion } from "./lib/newest-version.ts";
import { findSecretBox, openSecretBox } from "./lib/secrets.ts";
import { cannotListen, certificateFilesOf } from "./listening.ts";
import { findNewerRelease } from "./service/upgrade/newer.ts";

/** Stops one part. */
export type Ending = () => Promise<unknown>;

// Work under way has this long to end before its servers are disconnected.
const graceMs = 5_000;
const queueConnections = 3;

/** What was started. */
export interface Services {
  /** Where the API is reached; undefined for a worker. */
  url: string | undefined;
  /** The page that makes the first account of an installation without one. */
  setupUrl: string | undefined;
  /** Of the certificate, if it signs itself. */
  fingerprint: string | undefined;
}

/** Starts the services of the role. Each part that has to be stopped is in `endings`. */
export async function startServices(
  { config, log, output }: { config: Config; log: Logger; output: Output },
  databaseUrl: string,
  endings: Ending[],
): Promise<Services> {
  const pool = openPool(databaseUrl, { max: config.databasePoolSize, applicationName: `longshore ${config.role}` });
  endings.push(() => pool.end());
  // For a key to be made, which must not fail only after the schema was.
  if (!findSecretBox(keySource(config))) await prepareDirectory(config.dataDirectory);
  const schemaDone = output.progress("Schema up to date");
  const migrations = await migrate(pool);
  if (migrations.length > 0) log.info({ migrations: migrations.length, newest: migrations.at(-1) }, "schema migrated");
  const mayCreate = !(await hasKeyCheck(pool));
  const secrets = openSecretBox({ ...keySource(config), mayCreate });
  await checkKey(pool, secrets);
  schemaDone();
  const servicesDone = output.progress("Services started");
  const served = await startRole({ config, pool, log, secrets }, databaseUrl, endings);
  servicesDone();
  if (config.databaseUrl === undefined) {
    const forget = watchDisk(config.dataDirectory, log);
    endings.push(async () => forget());
  }
  if (served === undefined) return { url: undefined, setupUrl: undefined, fingerprint: undefined };
  if (config.updateCheck === "on") {
    const forget = watchNewestVersion(() => findNewerRelease(config.updateSource), log);
    endings.push(async () => forget());
  }
  const address = config.publicUrl ?? served.url;
  await saveAddress(pool, address);
  const code = await makeSetupCode({ pool });
  const url = config.domains.length > 0 ? address : served.url;
  return { url, setupUrl: code && setupPage(address, code), fingerprint: served.fingerprint };
}

async function startRole(
  base: Pick<Context, "config" | "pool" | "log" | "secrets">,
  databaseUrl: string,
  endings: Ending[],
): Promise<Served | undefined> {
  const { config, pool, log } = base;
  placeEventsOf(pool, log);
  // Separate from the pool, so that notifications arrive even while all of its connections are in use. The state of a job as taken
  // or done need not survive a crash of the database: the job is repeated, which is harmless. Jobs are added in the transactions of
  // their records, which are durable.
  const queuePool = openPool(databaseUrl, {
    max: queueConnections,
    applicationName: `longshore ${config.role} queue`,
    durable: false,
  });
  endings.push(() => queuePool.end());
  const queue = new Queue(queuePool, log);
  const hosts = new Hosts(hostsOptions(base));
  const listener = new Listener(databaseUrl, log);
  const ctx: Context = { ...base, queue, hosts, listener, clouds: cloudDrivers(config), hooks: hooksOf() };
  const handlers = jobsOf(ctx);
  // Each part is stopped also when its start fails half-way.
  endings.push(
    () => queue.stop(),
    () => listener.stop(),
    () => hosts.close(),
  );
  await queue.start(handlers);
  await listener.start();
  await followAddresses(ctx);
  const work = config.role === "api" ? undefined : prepareWork(ctx, handlers);
  if (work) endings.push(work.stop);
  // HTTP first, so that a port in use is reported before any work begins; it is also the first to stop, while all else works.
  const served = config.role === "worker" ? undefined : await startHttp(ctx, endings);
  await work?.start();
  return served;
}

function hostsOptions(base: Pick<Context, "config" | "pool" | "log" | "secrets">): HostsOptions {
  const { config, pool } = base;
  return {
    greet: (serverId, connection) => continueAfter(base, connection, serverId),
    connectTimeoutMs: config.sshConnectTimeoutSeconds * 1_000,
    lookUp: async (serverId) => {
      const server = await findServerForWork(pool, serverId);
      if (!server) throw notFound("The server");
      const login = await loginOf(base, server);
      return {
        name: server.name,
        ...login,
        hostKey: server.host_key ?? undefined,
        isSeen: server.seen_ip === addressSeen(server, login.host),
      };
    },
    pin: async (serverId, seen) => {
      const server = await findServerForWork(pool, serverId);
      const host = server ? addressSeen(server, seen.host) : seen.host;
      if (await pinHostKey(pool, serverId, { ...seen, host })) return;
      throw new AppError("host_key_changed", "The server answered with another host key than the one pinned before.");
    },
  };
}

function prepareWork(ctx: Context, jobs: JobHandler[]): { start: Ending; stop: Ending } {
  const worker = new Worker(ctx.queue, jobs, ctx.log);
  const scheduler = new Scheduler(ctx, schedulesOf(ctx));
  const start = async (): Promise<void> => {
    // A process that holds the data directory works alone: the jobs of a killed process continue at once, not after its heartbeat.
    if (!ctx.config.databaseUrl) await ctx.queue.takeBackAll(jobs, ctx.pool);
    await worker.start(ctx.listener);
    await scheduler.start();
  };
  const stop = async (): Promise<void> => {
    const stopped = Promise.all([worker.stop(), scheduler.stop()]);
    await Promise.race([stopped, delay(graceMs, undefined, { ref: false })]);
    // Work that waits for an unresponsive server could wait indefinitely; it is resumed after the next start.
    await ctx.hosts.close();
    await stopped;
  };
  return { start, stop };
}

interface Served {
  /** Without TLS. */
  url: string;
  /** Of the certificate that HTTPS has, if it signs itself. */
  fingerprint?: string | undefined;
}

/** Starts to serve HTTP, and HTTPS for the domains of the configuration. */
async function startHttp(ctx: Context, endings: Ending[]): Promise<Served> {
  const [{ buildApp }, { authenticator }] = await Promise.all([
    import("./http/app.ts"),
    import("./features/accounts/authenticator.ts"),
  ]);
  for (const counts of countsOf(ctx)) addCounts(counts);
  const app = buildApp(ctx, routesOf(), authenticator(ctx), descriptionsOf());
  for (const { mount } of features) mount?.(app, ctx);
  endings.push(() => app.close());
  const { domains, host, port, httpsPort } = ctx.config;
  const edge = domains.length > 0 && httpsPort !== "off" ? await prepareHttps(ctx, app) : undefined;
  try {
    await app.listen({ host, port });
  } catch (cause) {
    throw cannotListen({ host, port, setting: "port" }, cause as NodeJS.ErrnoException);
  }
  await edge?.listen();
  const address = app.server.address() as AddressInfo;
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`;
  return { url, fingerprint: edge?.fingerprint };
}

/** HTTPS with the certificate in the operator's files, or with one that is ordered. */
async function prepareHttps(ctx: Context, app: FastifyInstance) {
  const [{ openEdge }, { challengesOf, sharedCertificate }] = await Promise.all([
    import("./http/tls/edge.ts"),
    import("./features/installation-certificates/served.ts"),
  ]);
  const { config, log } = ctx;
  const files = certificateFilesOf(config);
  const source = files ? certificateInFiles(files, log) : sharedCertificate(ctx);
  const edge = await openEdge(app, { config, log, source, challenges: challengesOf(ctx) });
  return { listen: edge.listen, fingerprint: files ? undefined : edge.fingerprint };
}
