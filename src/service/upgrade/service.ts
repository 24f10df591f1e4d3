import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { type Config, loadConfig } from "../../config.ts";
import { pollUntil } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { readHealth } from "../health.ts";
import { plainAddress } from "../installation.ts";
import { findCurrentVersion, serviceName, versionDirectory } from "../layout.ts";
import { mustRun, run } from "../machine.ts";
import { readSettings } from "../settings-file.ts";
import { readUnit, systemctl, type UnitState } from "../systemd.ts";
import { type Owner, ownerToBe } from "./data-copy.ts";
import { bootUnitName, type UpgradeLayout, watchUnitName } from "./layout.ts";
import type { Outcome } from "./phases.ts";

// The installed service as systemd runs it.

export interface Service {
  layout: UpgradeLayout;
  config: Config;
  data: string;
  owner: Owner | undefined;
}

const unit = `${serviceName}.service`;
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
  await systemctl("daemon-reload");
  await systemctl("enable", "--quiet", `${bootUnitName}.service`);
  if ((await readUnit(`${watchUnitName}.service`)).active === "active") return;
  const wait = 'flock "$0" true; [ ! -e "$1" ] || exec "$2" upgrade --settle watch';
  const make = ["systemd-run", "--quiet", "--collect", "--unit", watchUnitName];
  await mustRun([...make, "sh", "-c", wait, layout.lock, layout.journal, launcher]);
}

/** Removes what `arm` made. */
export async function disarm({ layout }: Service): Promise<void> {
  // It may be gone already.
  await run(["systemctl", "disable", "--quiet", `${bootUnitName}.service`]);
  for (const file of [layout.bootUnit, layout.holdDropIn]) await rm(file, { force: true });
  await systemctl("daemon-reload");
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
  await systemctl("stop", unit);
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
  // systemd refuses that for a unit of which it has nothing to forget.
  await run(["systemctl", "reset-failed", unit]);
  await systemctl("start", unit);
  const before = await readUnit();
  const look = async (): Promise<Outcome | undefined> => {
    if (signal.aborted) return { ok: false, reason: "it was interrupted" };
    const now = await readUnit();
    if (now.active === "active" && (await isHealthy(service.config, version, now))) return { ok: true };
    const hasFailed = now.active === "failed" || now.restarts - before.restarts >= restartsOfFailure;
    return hasFailed ? { ok: false, reason: `Longshore ${version} does not start` } : undefined;
  };
  const late = `Longshore ${version} was not healthy within ${timeoutMs / 1_000} s`;
  const outcome = (await pollUntil(look, { timeoutMs, everyMs: 250 })) ?? { ok: false, reason: late };
  return outcome.ok ? outcome : { ...outcome, log: await logSince(since) };
}

/** The last lines of the service's own processes since then, in seconds since 1970. */
async function logSince(since: number): Promise<string[]> {
  // With --since, --lines would be the first lines of systemd 252.
  const journal = ["journalctl", "--quiet", "--no-pager", "--output=cat", `--since=@${since}`];
  const { stdout } = await run([...journal, `_SYSTEMD_UNIT=${unit}`]);
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.slice(-shownLines);
}

/** A worker answers nothing: what it logs at its start counts. */
async function isHealthy(config: Config, version: string, state: UnitState): Promise<boolean> {
  if ((await readHealth(config, state)) !== "ok") return false;
  return config.role === "worker" || (await readVersion(config)) === version;
}

async function readVersion(config: Config): Promise<string | undefined> {
  try {
    const { headers, body } = await fetch(`${plainAddress(config)}/api/v1/version`, {
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    await body?.cancel();
    return headers.get("X-Longshore-Version") ?? undefined;
  } catch {
    return undefined;
  }
}
