import { mkdir, rm } from "node:fs/promises";
import { pollUntil } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { type FileLock, lockFile } from "../../lib/lock.ts";
import { versionDirectory } from "../layout.ts";
import { run } from "../machine.ts";
import { type Course, carryOut } from "./carry-out.ts";
import { changesBetween } from "./changelog.ts";
import { sizeOf } from "./data-copy.ts";
import { type Ending, makeRecordDirectory, readEnding, readJournal } from "./journal.ts";
import type { UpgradeLayout } from "./layout.ts";
import { installBeside, packageChangelog } from "./package-file.ts";
import { findService, type Service } from "./service.ts";
import { fileSource, openSource, type UpdateSource } from "./source.ts";
import { checkSpace } from "./space.ts";
import { chooseVersion, newestRelease } from "./version-order.ts";

export interface UpgradeRequest {
  /** Default: the newest release. */
  version?: string | undefined;
  /** The absolute path of a package file, in place of the update source. */
  from?: string | undefined;
  /** Instead of the one in the service's settings. */
  updateSource?: string | undefined;
  backup: boolean;
  /** How long a version may take to become healthy. */
  waitSeconds: number;
}

export interface Dialogue {
  note(line: string): void;
  /** Asks whether to begin. Throws AppError("refused") where there is no terminal to ask on, or if the answer is no. */
  confirm(question: string): Promise<void>;
}

/** How a call ended: `interrupted` is the end of an earlier upgrade, which this one has settled instead of beginning another. */
export type Result = { outcome: "up_to_date"; version: string } | (Ending & { wasInterrupted?: true });

/** Another call, or the unit that settles after a killed one, ends within this time; or it is an upgrade of its own. */
const lockTimeoutMs = 120_000;
const settleTimeoutMs = 24 * 3_600_000;
/** A version takes a little more than the one before. */
const growth = 1.2;

/**
 * Brings the installed service to a newer version, or back if that is not healthy. An upgrade that was interrupted is settled first.
 * Throws AppError for what is refused, or fails before anything was changed.
 */
export async function upgrade(
  layout: UpgradeLayout,
  request: UpgradeRequest,
  { dialogue, course }: { dialogue: Dialogue; course: Course },
): Promise<Result> {
  const lock = await claim(layout, lockTimeoutMs);
  try {
    const settled = await settleJournal(layout, course, dialogue);
    if (settled?.outcome === "taken_back") return { ...settled, wasInterrupted: true };
    return await upgradeNow(await findService(layout), request, { dialogue, course });
  } finally {
    lock.release();
  }
}

/**
 * Ends an upgrade whose process was interrupted: during a boot, or when it was killed. Resolves with how; undefined if there is none.
 */
export async function settle(layout: UpgradeLayout, course: Course): Promise<Ending | undefined> {
  const lock = await claim(layout, settleTimeoutMs);
  try {
    return await settleJournal(layout, course);
  } finally {
    lock.release();
  }
}

async function settleJournal(layout: UpgradeLayout, course: Course, dialogue?: Dialogue): Promise<Ending | undefined> {
  const journal = await readJournal(layout.journal);
  if (!journal) return undefined;
  dialogue?.note(`The upgrade from ${journal.from} to ${journal.to} was interrupted and continues.`);
  return carryOut(await findService(layout), journal, course);
}

async function claim(layout: UpgradeLayout, timeoutMs: number): Promise<FileLock> {
  await makeRecordDirectory(layout.upgrades);
  const lock = await pollUntil(() => lockFile(layout.lock), { timeoutMs, everyMs: 500 });
  if (lock) return lock;
  throw new AppError("conflict", "Another upgrade is under way: wait until it has ended, then try again.");
}

type Installed = Service & { version: string };

async function upgradeNow(
  service: Installed,
  request: UpgradeRequest,
  { dialogue, course }: { dialogue: Dialogue; course: Course },
): Promise<Result> {
  const { version: from, layout } = service;
  await refusePackaged(service);
  const source = sourceFor(service, request);
  const to = chooseVersion(from, await source.versions(), request.version);
  if (to === undefined) return { outcome: "up_to_date", version: from };
  const backup = wantsBackup(service, request);
  await checkSpace(await needsOf(service, backup));
  await mkdir(layout.downloads, { recursive: true, mode: 0o700 });
  try {
    const file = await source.fetch(to, layout.downloads);
    showChanges(dialogue, changesBetween(await packageChangelog(file), from, to));
    await dialogue.confirm(`Upgrade Longshore from ${from} to ${to}? It does not answer for some seconds.`);
    await installBeside(layout, file, to);
  } finally {
    await rm(layout.downloads, { recursive: true, force: true });
  }
  const { waitSeconds } = request;
  return carryOut(service, { from, to, phase: "stopping", backup, waitSeconds }, course);
}

const sourceFor = ({ config }: Service, { from, updateSource }: UpgradeRequest): UpdateSource =>
  from === undefined ? openSource(updateSource ?? config.updateSource) : fileSource(from);

/** The package manager knows which version it installed, and would bring it back. */
async function refusePackaged({ layout, version }: Installed): Promise<void> {
  const { exitCode } = await run(["dpkg-query", "--search", `${versionDirectory(layout, version)}/package.json`]);
  if (exitCode !== 0) return;
  const message =
    "This Longshore was installed as a Debian package and is upgraded as one: make a backup, then run `apt install ./longshore_VERSION_ARCH.deb`.";
  throw new AppError("refused", message);
}

/** A database of the operator's own is not copied, since other processes may use it. */
function wantsBackup({ config }: Service, { backup }: UpgradeRequest): boolean {
  if (!backup || config.databaseUrl === undefined) return backup;
  const message =
    "The database of DATABASE_URL is yours to back up: the upgrade does not do it. Make a backup, then run the upgrade with --no-backup.";
  throw new AppError("refused", message);
}

async function needsOf({ layout, data, version }: Installed, backup: boolean) {
  const program = await sizeOf(versionDirectory(layout, version));
  const stored = backup ? await sizeOf(data) : 0;
  return [
    { directory: layout.versions, bytes: program * growth },
    // The package, compressed; and the copy.
    { directory: layout.upgrades, bytes: program / 2 + stored * growth },
  ];
}

function showChanges(dialogue: Dialogue, lines: readonly string[]): void {
  for (const line of lines) dialogue.note(line);
  if (lines.length > 0) dialogue.note("");
}

export interface Availability {
  installed: string;
  newest: string | undefined;
  /** The version that an upgrade would install; undefined if there is none. */
  available: string | undefined;
  /** An upgrade was interrupted, or is under way. */
  isUnsettled: boolean;
  last: Ending | undefined;
}

/** What an upgrade would do. Changes nothing. */
export async function lookForUpgrade(layout: UpgradeLayout, request: UpgradeRequest): Promise<Availability> {
  const service = await findService(layout);
  const versions = await sourceFor(service, request).versions();
  return {
    installed: service.version,
    newest: newestRelease(versions),
    available: chooseVersion(service.version, versions, request.version),
    isUnsettled: (await readJournal(layout.journal)) !== undefined,
    last: await readEnding(layout.ending),
  };
}
