import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Output } from "./cli/output.ts";
import { type Config, keyFile, type SettingName, settings } from "./config.ts";
import type { Context } from "./context.ts";
import { saveAddress } from "./db/address.ts";
import { openDatabase, prepareDirectory } from "./db/data-directory.ts";
import { checkKey, hasKeyCheck } from "./db/key-check.ts";
import { migrate } from "./db/migrate.ts";
import { isOutage, outageSentence } from "./db/outage.ts";
import { openPool } from "./db/pool.ts";
import { placeEventsOf } from "./engine/events.ts";
import { Listener } from "./engine/listener.ts";
import { Queue } from "./engine/queue/queue.ts";
import { type JobHandler, Worker } from "./engine/queue/worker.ts";
import { continueAfter } from "./engine/runs/last-ids.ts";
import { Scheduler } from "./engine/schedule/scheduler.ts";
import { cloudDrivers } from "./features/cloud-servers/providers/connection.ts";
import { addressSeen, followAddresses, loginOf } from "./features/servers/connections.ts";
import { findServerForWork, pinHostKey } from "./features/servers/queries.ts";
import { makeSetupCode, setupPage } from "./features/sign-in/setup/actions.ts";
import { countsOf, descriptionsOf, features, hooksOf, jobsOf, routesOf, schedulesOf } from "./features.ts";
import { Hosts, type HostsOptions } from "./host/ssh/hosts.ts";
import { listenOn } from "./http/tls/listen.ts";
import { certificateInFiles, readCertificateFiles } from "./http/tls/own-files.ts";
import { watchDisk } from "./lib/disk.ts";
import { AppError, messageOf, notFound } from "./lib/errors.ts";
import { type Logger, openLog } from "./lib/log.ts";
import { addCounts } from "./lib/metrics.ts";
import { watchNewestVersion } from "./lib/newest-version.ts";
import { findSecretBox, type KeySource, openSecretBox } from "./lib/secrets.ts";
import { findNewerRelease } from "./service/upgrade/newer.ts";

/** Stops one part. */
type Ending = () => Promise<unknown>;

// How long requests and jobs under way may take to end; a supervisor must be willing to wait a little longer.
const stopTimeoutMs = 30_000;
// Work under way has this long to end before its servers are disconnected.
const graceMs = 5_000;
const queueConnections = 3;

/**
 * Runs the platform until a signal ends it. Resolves when everything was stopped in order; throws if it cannot start, or its
 * database is gone.
 */
export async function up(config: Config, output: Output): Promise<void> {
  const log = openLog(config.logLevel);
  if (config.appsChecksums === "off") {
    log.warn("LONGSHORE_APPS_CHECKSUMS is off: servers use archives of applications without comparing checksums");
  }
  const endings: Ending[] = [];
  const stop = stopSignal();
  try {
    // An unusable key, a port in use and an unusable certificate are reported before a database is created.
    findSecretBox(keySource(config));
    if (config.role !== "worker") await checkServing(config);
    const { url, setupUrl, fingerprint, lost } = await Promise.race([
      start({ config, log, output }, stop, endings),
      lateAfter(stop),
    ]);
    output.result(
      {
        url: url ?? null,
        role: config.role,
        pid: process.pid,
        ...(setupUrl && { setup_url: setupUrl }),
        ...(fingerprint && { fingerprint }),
      },
      url ? `Longshore is ready at ${url}` : "Longshore is ready to work",
    );
    if (fingerprint) output.note(untilIssued(config, fingerprint));
    if (setupUrl) output.note(firstSteps(config, setupUrl));
    await Promise.race([once(stop, "abort").then(() => output.note(stopping)), lost.then(failOnLoss)]);
  } catch (error) {
    // Ctrl-C also reaches the programs that create the database, which may fail because of that.
    if (!stop.aborted) throw isOutage(error) ? lostDatabase(error) : error;
    output.note("Stopped before Longshore was ready.");
  } finally {
    await endAll(endings, stopTimeoutMs + config.drainSeconds * 1_000, log);
  }
}

/** Starts everything. Each step that was started and has to be stopped is in `endings`. */
async function start(
  { config, log, output }: { config: Config; log: Logger; output: Output },
  stop: AbortSignal,
  endings: Ending[],
) {
  const connected = output.progress(config.databaseUrl ? "Database connected" : "PostgreSQL started");
  const database = await openDatabase(config, "up", {
    onRestart: () => log.error(restarted),
    onWait: (what) => output.note(what),
  });
  endings.push(database.close);
  connected();
  stop.throwIfAborted();
  const services = await startServices({ config, log, output }, database.url, endings);
  stop.throwIfAborted();
  return { ...services, lost: database.lost };
}

/** Rejects some time after the signal to stop: a step of the start may never end, such as one that waits for a lock or a disk. */
async function lateAfter(stop: AbortSignal): Promise<never> {
  if (!stop.aborted) await once(stop, "abort");
  await delay(graceMs, undefined, { ref: false });
  throw stop.reason;
}

const lostDatabase = (cause: unknown): AppError =>
  new AppError("unavailable", `Longshore could not start. ${outageSentence(cause)} (${messageOf(cause)})`, { cause });

const restarted =
  "The embedded PostgreSQL ended unexpectedly and is started again; its log is postgres/log in the data directory";
const stopping =
  "Stopping: requests under way are answered first; what runs on servers continues without Longshore. Ctrl-C again ends it at once.";

function firstSteps({ dataDirectory, databaseUrl }: Config, setupUrl: string): string {
  const { flag, default: usual } = settings.dataDirectory;
  const place = databaseUrl !== undefined || dataDirectory === usual ? "" : ` ${flag} ${dataDirectory}`;
  return [
    "There is no account yet. Make the first one with the code in this address, once and within 24 hours:",
    `  ${setupUrl}`,
    "or on the command line, with a token for the API:",
    `  ./longshore admin user${place} --email you@example.com --name You`,
    `  ./longshore admin token${place} --email you@example.com --name first --permissions '*'`,
  ].join("\n");
}

const untilIssued = ({ domains }: Config, fingerprint: string): string =>
  [
    `Until the authority has issued a certificate for ${domains.join(", ")}, browsers warn of one that signs itself.`,
    "It is this one if its SHA-256 fingerprint is:",
    `  ${fingerprint}`,
  ].join("\n");

interface Services {
  /** Where the API is reached; undefined for a worker. */
  url: string | undefined;
  /** The page that makes the first account of an installation without one. */
  setupUrl: string | undefined;
  /** Of the certificate, if it signs itself. */
  fingerprint: string | undefined;
}

/** Starts the services of the role. */
async function startServices(
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

const keySource = (config: Config): KeySource => ({ key: config.secretKey, file: keyFile(config) });

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
  const { domains, host, port } = ctx.config;
  const edge = domains.length > 0 ? await prepareHttps(ctx, app) : undefined;
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

/** Where to listen, and the setting of the port. */
interface Place {
  host: string;
  port: number;
  setting: "port" | "httpsPort" | "httpPort";
}

function placesOf({ host, port, domains, httpsHost, httpsPort, httpPort }: Config): Place[] {
  const plain: Place = { host, port, setting: "port" };
  if (domains.length === 0) return [plain];
  const https: Place = { host: httpsHost, port: httpsPort, setting: "httpsPort" };
  return [
    plain,
    https,
    ...(httpPort === "off" ? [] : [{ host: httpsHost, port: httpPort, setting: "httpPort" as const }]),
  ];
}

async function checkServing(config: Config): Promise<void> {
  for (const place of placesOf(config)) await checkPort(place);
  const files = certificateFilesOf(config);
  if (files) await readCertificateFiles(files);
}

/** The files of the operator's own certificate. */
const certificateFilesOf = ({ tlsCertificateFile: certificate, tlsKeyFile: key }: Config) =>
  certificate === undefined || key === undefined ? undefined : { certificate, key };

/** Listens for a moment. */
async function checkPort(place: Place): Promise<void> {
  const server = createServer();
  try {
    await listenOn(server, place.host, place.port);
  } catch (cause) {
    throw cannotListen(place, cause as NodeJS.ErrnoException);
  }
  server.close();
  await once(server, "close");
}

function cannotListen({ host, port, setting }: Place, cause: NodeJS.ErrnoException): AppError {
  const isPlain = setting === "port";
  const nameOf = (name: SettingName): string => {
    const { env, flag }: { env: string; flag?: string } = settings[name];
    return flag === undefined ? env : `${flag} or ${env}`;
  };
  const [otherPort, otherHost] = [nameOf(setting), nameOf(isPlain ? "host" : "httpsHost")];
  const nginx = isPlain
    ? ""
    : " If that is the nginx of a server that Longshore manages, leave LONGSHORE_DOMAIN out and let it serve the panel: see docs/operations.md.";
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} of ${host} is in use by another program. Stop it, or choose another port with ${otherPort}.${nginx}`,
    EACCES: isPlain
      ? `Only root may listen on port ${port}. Choose one above 1023 with ${otherPort}.`
      : `Only root may listen on port ${port}, or a service with AmbientCapabilities=CAP_NET_BIND_SERVICE. Another port can be chosen with ${otherPort}.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Choose another with ${otherHost}.`,
    ENOTFOUND: `${host} is not the name of an address. Choose another with ${otherHost}.`,
  };
  const message = reasons[cause.code ?? ""] ?? `Cannot listen on port ${port} of ${host}: ${messageOf(cause)}.`;
  return new AppError("configuration", message, { cause });
}

/** Aborted by the first signal to stop; the second one ends the process at once. */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(1);
    controller.abort();
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, stop);
  return controller.signal;
}

function failOnLoss(): never {
  throw new AppError(
    "unavailable",
    "The embedded PostgreSQL ended unexpectedly and does not come back. Its log is postgres/log in the data directory.",
  );
}

/**
 * Stops everything that was started, the last first. A part that fails or takes too long does not block the others: the database,
 * the first part, is always shut down in order.
 */
async function endAll([first, ...others]: Ending[], timeoutMs: number, log: Logger): Promise<void> {
  const late = delay(timeoutMs, "late" as const, { ref: false });
  for (const end of others.toReversed()) await stopPart(end, late, log);
  if (first) await stopPart(first, delay(stopTimeoutMs * 2, "late" as const, { ref: false }), log);
}

async function stopPart(end: Ending, late: Promise<"late">, log: Logger): Promise<void> {
  const outcome = await Promise.race([end().catch((error: unknown) => error ?? "failed"), late]);
  if (outcome === "late") log.warn("something did not stop in time and was left");
  else if (outcome instanceof Error) log.error({ err: outcome }, "something did not stop in order");
}
