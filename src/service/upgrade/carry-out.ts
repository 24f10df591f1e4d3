import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { AppError, messageOf } from "../../lib/errors.ts";
import { versionDirectory } from "../layout.ts";
import { switchVersion } from "../versions.ts";
import { copyData, lastUse, restoreData } from "./data-copy.ts";
import { type Ending, type Journal, removeRecord, syncDirectory, writeRecord } from "./journal.ts";
import { type Next, nextAfter, type Outcome, type Phase, phaseAfterBoot } from "./phases.ts";
import { arm, disarm, hold, release, type Service, startAndWatch, stopAndHold } from "./service.ts";

export interface Course {
  /** Ends the upgrade in order: it is taken back, until the new version is healthy. */
  signal: AbortSignal;
  /** Before systemd has started the service, which it does by itself afterwards. */
  isBoot: boolean;
  /** Called when a phase begins, which is in the journal by then, and with its outcome when it has ended. */
  onPhase?: (phase: Phase, outcome?: Outcome) => void;
}

/** Longer after the wait for its health, the new version has worked: what it stored must not be lost. */
const inUseAfterMs = 600_000;

/**
 * Carries out an upgrade, from the phase of its journal to its end. The new version is installed by then, and the caller holds the
 * lock. This process may end at any line: the next call continues. Throws AppError("unavailable") if the former version cannot be
 * brought back, with what prevents it; the service does not run then, and the next call repeats that.
 */
export async function carryOut(service: Service, start: Journal, course: Course): Promise<Ending> {
  if (!course.isBoot) await arm(service, start.from);
  let journal = course.isBoot ? { ...start, phase: phaseAfterBoot(await standingOf(service, start)) } : start;
  for (;;) {
    if (journal.phase === "starting") journal = { startedAt: new Date().toISOString(), ...journal };
    await writeRecord(service.layout.journal, journal);
    course.onPhase?.(journal.phase);
    const outcome = await attempt(service, journal, course);
    course.onPhase?.(journal.phase, outcome);
    const next = nextAfter(await standingOf(service, journal), outcome);
    if (next === "stuck") throw stuck(journal, outcome);
    if (next === "upgraded" || next === "taken_back") return conclude(service, journal, { next, outcome });
    journal = { ...journal, phase: next, ...failureOf(outcome) };
  }
}

async function standingOf({ data }: Service, { phase, backup, startedAt, waitSeconds }: Journal) {
  const used = startedAt === undefined ? undefined : await lastUse(data);
  const startedMs = Date.parse(startedAt ?? "");
  const isInUse = used !== undefined && used.getTime() - startedMs > waitSeconds * 1_000 + inUseAfterMs;
  return { phase, backup, isInUse };
}

const failureOf = (outcome: Outcome): Pick<Journal, "reason" | "log"> =>
  outcome.ok ? {} : { reason: outcome.reason, ...(outcome.log && { log: outcome.log }) };

const stuck = ({ from }: Journal, outcome: Outcome): AppError =>
  new AppError(
    "unavailable",
    `Longshore ${from} could not be brought back: ${outcome.ok ? "" : outcome.reason}. The service is stopped. Repair that, then run \`longshore upgrade\` again: it continues there.`,
  );

async function attempt(service: Service, journal: Journal, course: Course): Promise<Outcome> {
  try {
    const outcome = await perform[journal.phase](service, journal, course);
    const mayEnd = ["stopping", "copying", "switching"].includes(journal.phase);
    return outcome.ok && mayEnd && course.signal.aborted ? { ok: false, reason: "it was interrupted" } : outcome;
  } catch (error) {
    return { ok: false, reason: messageOf(error).replace(/\.$/, "") };
  }
}

type Performance = (service: Service, journal: Journal, course: Course) => Promise<Outcome>;

const done: Outcome = { ok: true };

const perform: Record<Phase, Performance> = {
  stopping: async (service) => {
    await stopAndHold(service);
    return done;
  },
  copying: async ({ data, layout, owner }, { backup }) => {
    if (backup) await copyData(data, layout.backup, owner);
    return done;
  },
  switching: async ({ layout }, { to }) => {
    await makeCurrent(layout, to);
    return done;
  },
  starting: (service, { to, waitSeconds }, { signal }) =>
    startAndWatch(service, { version: to, timeoutMs: waitSeconds * 1_000, signal }),
  finishing: async ({ layout }, { from, to }) => {
    await release(layout);
    await removeFormer(layout, [from, to]);
    return done;
  },
  returning: async (service, journal, { isBoot }) => {
    // During a boot, a stop would cancel the start that systemd has queued.
    await (isBoot ? hold(service.layout) : stopAndHold(service));
    await takeBack(service, journal);
    return done;
  },
  restarting: async (service, { from, waitSeconds }, { isBoot }) => {
    // It comes back whatever the caller wants by now.
    const { signal } = new AbortController();
    if (!isBoot) return startAndWatch(service, { version: from, timeoutMs: waitSeconds * 1_000, signal });
    await release(service.layout);
    return done;
  },
};

async function takeBack(service: Service, { from, backup, startedAt }: Journal): Promise<void> {
  const { layout, data, owner } = service;
  if (backup && startedAt !== undefined) await restoreData(data, layout.backup, owner);
  await makeCurrent(layout, from);
}

async function makeCurrent(layout: Service["layout"], version: string): Promise<void> {
  await switchVersion(layout, version);
  await syncDirectory(layout.programs);
}

/** Removes all versions but these, and what is left of downloads. */
async function removeFormer(layout: Service["layout"], kept: readonly string[]): Promise<void> {
  const directories = kept.map((version) => versionDirectory(layout, version));
  for (const name of await readdir(layout.versions)) {
    const path = join(layout.versions, name);
    if (!directories.includes(path)) await rm(path, { recursive: true, force: true });
  }
  await rm(layout.downloads, { recursive: true, force: true });
}

async function conclude(
  service: Service,
  { from, to, reason, log }: Journal,
  { next, outcome }: { next: Exclude<Next, Phase | "stuck">; outcome: Outcome },
): Promise<Ending> {
  const ending: Ending = {
    ...{ from, to, outcome: next, endedAt: new Date().toISOString() },
    ...(reason !== undefined && { reason }),
    ...(log && { log }),
    // A version that has been in use stays, also if it does not become healthy again.
    ...((next === "taken_back" ? !outcome.ok : reason !== undefined) && { down: true }),
  };
  await writeRecord(service.layout.ending, ending);
  await removeRecord(service.layout.journal);
  await disarm(service);
  return ending;
}
