import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { type Config, loadConfig } from "../../config.ts";
import { pollUntil } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { findCurrentVersion, serviceName, versionDirectory } from "../layout.ts";
import { readSettings } from "../settings-file.ts";
import { type Owner, ownerToBe } from "./data-copy.ts";
import { bootUnitName, type UpgradeLayout, watchUnitName } from "./layout.ts";
import type { Outcome } from "./phases.ts";
import { lastLines, mustRun, runProgram } from "./run-program.ts";

// The installed service as systemd runs it.

export interface Service {
  layout: UpgradeLayout;
  config: Config;
  data: string;
  owner: Owner | undefined;
}

/** Stopping takes as long as the unit allows requests and jobs to end. */
const stopTimeoutMs = 900_000;
const requestTimeoutMs = 5_000;
/** A process that ends so often by itself does not become healthy. */
const restartsOfFailure = 2;
const shownLines = 20;

/** The service of this machine. Throws AppError("not_found") if none is installed. */
export async function findService(layout: UpgradeLayout): Promise<Service & { version: string }> {
  const version = findCurrentVersion(layout);
  if (version === undefined) {
    const message = `No service is installed in ${layout.programs}: \`longshore service install\` makes one. A checkout of the repository is upgraded with git, see docs/operations.md.`;
    throw new AppError("not_found", message);
  }
  const settings = await readSettings(layout.settings);
  const config = loadConfig(settings);
  const data = settings.LONGSHORE_DATA ? config.dataDirectory : layout.data;
  return { layout, config, data, owner: await ownerToBe(data).catch(() => undefined), version };
}

/**
 * Prepares for the end of this process at any time: systemd starts the service only while nothing holds it, and settles the upgrade
 * with the installed version's program, during a boot or as soon as the lock is free.
 */
export async function arm({ layout }: Service, installed: string): Promise<void> {
  const launcher = `${versionDirectory(layout, installed)}/longshore`;
  await mkdir(dirname(layout.holdDropIn), { recursive: true });
  await writeFile(layout.holdDropIn, holdDropIn(layout));
  await writeFile(layout.bootUnit, bootUnit(layout, launcher));
  await mustRun(["systemctl", "daemon-reload"]);
  await mustRun(["systemctl", "--quiet", "enable", `${bootUnitName}.service`]);
  const { exitCode } = await runProgram(["systemctl", "--quiet", "is-active", `${watchUnitName}.service`]);
  if (exitCode === 0) return;
  const wait = 'flock "$0" true; [ ! -e "$1" ] || exec "$2" upgrade --settle watch';
  const unit = ["systemd-run", "--quiet", "--collect", "--unit", watchUnitName];
  await mustRun([...unit, "sh", "-c", wait, layout.lock, layout.journal, launcher]);
}

/** Removes what `arm` made. */
export async function disarm({ layout }: Service): Promise<void> {
  await runProgram(["systemctl", "--quiet", "disable", `${bootUnitName}.service`]);
  for (const file of [layout.bootUnit, layout.holdDropIn]) await rm(file, { force: true });
  await mustRun(["systemctl", "daemon-reload"]);
}

const holdDropIn = ({ hold }: UpgradeLayout): string => `[Unit]
# While an upgrade changes program and data, nothing else starts the service.
AssertPathExists=!${hold}
`;

const bootUnit = ({ journal }: UpgradeLayout, launcher: string): string => `[Unit]
Description=Longshore: settle an upgrade that was interrupted
Before=${serviceName}.service
ConditionPathExists=${journal}

[Service]
Type=oneshot
ExecStart=${launcher} upgrade --settle boot
TimeoutStartSec=infinity

[Install]
WantedBy=multi-user.target
`;

/** Resolves when all of its processes have ended; nothing starts it then. */
export async function stopAndHold({ layout }: Service): Promise<void> {
  await hold(layout);
  await mustRun(["systemctl", "stop", `${serviceName}.service`], { timeoutMs: stopTimeoutMs });
}

export const hold = ({ hold }: UpgradeLayout): Promise<void> => writeFile(hold, "");

export const release = ({ hold }: UpgradeLayout): Promise<void> => rm(hold, { force: true });

export interface Expected {
  version: string;
  timeoutMs: number;
  /** Ends the wait early. */
  signal: AbortSignal;
}

/** Starts it, and waits until this version is healthy. */
export async function startAndWatch(service: Service, { version, timeoutMs, signal }: Expected): Promise<Outcome> {
  const since = Math.floor(Date.now() / 1_000);
  await release(service.layout);
  await runProgram(["systemctl", "reset-failed", `${serviceName}.service`]);
  await mustRun(["systemctl", "start", `${serviceName}.service`]);
  const before = await unitState();
  const look = async (): Promise<Outcome | undefined> => {
    if (signal.aborted) return { ok: false, reason: "it was interrupted" };
    if (await isHealthy(service.config, version, since)) return { ok: true };
    const { state, restarts } = await unitState();
    const hasFailed = state === "failed" || restarts - before.restarts >= restartsOfFailure;
    return hasFailed ? { ok: false, reason: `Longshore ${version} does not start` } : undefined;
  };
  const late = `Longshore ${version} was not healthy within ${timeoutMs / 1_000} s`;
  const outcome = (await pollUntil(look, { timeoutMs, everyMs: 250 })) ?? { ok: false, reason: late };
  return outcome.ok ? outcome : { ...outcome, log: await logSince(since) };
}

async function unitState(): Promise<{ state: string | undefined; restarts: number }> {
  const names = ["ActiveState", "NRestarts"];
  const output = await mustRun(["systemctl", "show", `${serviceName}.service`, `--property=${names.join(",")}`]);
  const values = new Map(output.split("\n").map((line) => line.split("=") as [string, string | undefined]));
  return { state: values.get("ActiveState"), restarts: Number(values.get("NRestarts") ?? 0) };
}

/** Whether the service answers as this version. A worker answers nothing: it logs that it is ready. */
async function isHealthy(config: Config, version: string, since: number): Promise<boolean> {
  if (config.role === "worker") return (await logSince(since)).some((line) => line.startsWith("Longshore is ready"));
  try {
    const answer = await fetch(`${localAddress(config)}/api/v1/health`, {
      signal: AbortSignal.timeout(requestTimeoutMs),
      redirect: "error",
    });
    await answer.arrayBuffer();
    return answer.ok && answer.headers.get("X-Longshore-Version") === version;
  } catch {
    return false;
  }
}

/** Where this machine reaches the service. */
function localAddress({ host, port }: Config): string {
  const address = { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;
  return `http://${address.includes(":") ? `[${address}]` : address}:${port}`;
}

/** What the service logged since then, in seconds since 1970: the last lines. */
async function logSince(since: number): Promise<string[]> {
  const journal = ["journalctl", "--unit", serviceName, "--since", `@${since}`, "--output", "cat", "--no-pager"];
  const { stdout } = await runProgram([...journal, "--lines", "200"]);
  return lastLines(stdout, shownLines).filter((line) => line !== "");
}
