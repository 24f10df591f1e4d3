import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Output } from "./cli/output.ts";
import { type Config, keySource, settings } from "./config.ts";
import { openDatabase } from "./db/data-directory.ts";
import { isOutage, outageSentence } from "./db/outage.ts";
import { AppError, messageOf } from "./lib/errors.ts";
import { type Logger, openLog } from "./lib/log.ts";
import { commandLine } from "./lib/program.ts";
import { findSecretBox } from "./lib/secrets.ts";
import { checkServing } from "./listening.ts";
import type { Ending } from "./services.ts";

// How long requests and jobs under way may take to end; a supervisor must be willing to wait a little longer.
const stopTimeoutMs = 30_000;
/** How long a start may take to notice the signal to stop. */
const graceMs = 5_000;

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
    // PostgreSQL begins in a process of its own, and takes as long as the modules of the services.
    onSpawn: () => void loadServices().catch(() => {}),
  });
  endings.push(database.close);
  connected();
  stop.throwIfAborted();
  const { startServices } = await loadServices();
  const services = await startServices({ config, log, output }, database.url, endings);
  stop.throwIfAborted();
  return { ...services, lost: database.lost };
}

const loadServices = () => import("./services.ts");

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
    `  ${commandLine(`admin user${place} --email you@example.com --name You`)}`,
    `  ${commandLine(`admin token${place} --email you@example.com --name first --permissions '*'`)}`,
  ].join("\n");
}

const untilIssued = ({ domains }: Config, fingerprint: string): string =>
  [
    `Until the authority has issued a certificate for ${domains.join(", ")}, browsers warn of one that signs itself.`,
    "It is this one if its SHA-256 fingerprint is:",
    `  ${fingerprint}`,
  ].join("\n");

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
