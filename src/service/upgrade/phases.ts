/**
 * The phases of an upgrade. Each is written to the journal before it begins, and may be repeated from its beginning.
 *
 * stopping → copying → switching → starting → finishing, and from any but the last of them → returning →
 * restarting. Download and installation come before: they change nothing that is in use, and begin again after an interruption.
 */
const phases = [
  /** The service stops, and is held: nothing but the upgrade starts it. */
  "stopping",
  /** The data directory is copied. */
  "copying",
  /** `current` leads to the new version. */
  "switching",
  /** The new version migrates the database, and has to become healthy. */
  "starting",
  /** It is. Versions and backups before the last are removed. */
  "finishing",
  /** The copy of the data and the former version come back. */
  "returning",
  /** The former version has to become healthy. */
  "restarting",
] as const;

export type Phase = (typeof phases)[number];

export const isPhase = (name: unknown): name is Phase => phases.some((phase) => phase === name);

/** How a phase ended. */
export type Outcome = { ok: true } | { ok: false; reason: string; log?: string[] };

/** What is known of an upgrade when one of its phases has ended. */
interface Standing {
  phase: Phase;
  /** There is a copy of the data from before. */
  backup: boolean;
  /** The new version has worked for longer than it takes to be called healthy: what it stored since must not be lost. */
  isInUse: boolean;
}

/** The next phase, or how the upgrade ends: `stuck` keeps the journal, and the next call repeats the phase. */
export type Next = Phase | "upgraded" | "taken_back" | "stuck";

/** What follows a phase. */
export function nextAfter({ phase, isInUse }: Standing, { ok }: Outcome): Next {
  switch (phase) {
    case "stopping":
      return ok ? "copying" : "returning";
    case "copying":
      return ok ? "switching" : "returning";
    case "switching":
      return ok ? "starting" : "returning";
    case "starting":
      return ok || isInUse ? "finishing" : "returning";
    // What could not be removed is removed by the next upgrade.
    case "finishing":
      return "upgraded";
    case "returning":
      return ok ? "restarting" : "stuck";
    // Nothing is left to return to.
    case "restarting":
      return "taken_back";
  }
}

/**
 * Where an upgrade continues whose process ended. A call repeats the phase. After a boot, before the service starts, it is taken
 * back, unless the new version serves already, or nothing could bring the data back: then its migrations continue when it starts.
 */
export function phaseAfterBoot({ phase, backup, isInUse }: Standing): Phase {
  switch (phase) {
    case "stopping":
    case "copying":
    case "switching":
      return "returning";
    case "starting":
      return backup && !isInUse ? "returning" : "finishing";
    default:
      return phase;
  }
}
