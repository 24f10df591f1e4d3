/** The stored state of a process, or of a job's processes, between two checks. Times are milliseconds since 1970. */
export interface Memory {
  checkedAt: number;
  /** Restarts since each unit was started on purpose, by its instance. */
  counts: Readonly<Record<string, number>>;
  /** The checks of the last minutes that found new restarts, and how many. */
  recent: readonly (readonly [at: number, restarts: number])[];
  /** When a restart was last seen, or a check was impossible. */
  lastRestartAt: number;
  isLooping: boolean;
}

/** One check of the units of a process. */
export interface ProcessCheck {
  at: number;
  /** The units that were restarted since they were started on purpose. */
  units: readonly { instance: string; restarts: number; isActive: boolean }[];
  /** A deployment is replacing its processes, or did so since the last check: restarts then prove nothing. */
  isDeploying: boolean;
}

export interface Verdict {
  memory: Memory;
  change: "began" | "ended" | undefined;
  /** Restarts within the window. */
  restarts: number;
}

const minute = 60_000;
/** This many restarts within this time are a crash loop. */
export const loopRestarts = 5;
export const loopWindowMs = 10 * minute;
/** A loop has ended after this long without a restart. Longer than the time between two counted restarts of a background job. */
export const calmMs = 5 * minute;
/** After a longer gap between two checks the times of the restarts are unknown. */
export const longestGapMs = 3 * minute;

/** The first check of restarted units: the number of earlier restarts is known, but not their times. */
export const firstMemory = ({ at, units }: ProcessCheck): Memory => ({
  checkedAt: at,
  counts: countsOf(units),
  recent: [],
  lastRestartAt: at,
  isLooping: false,
});

/** Evaluates a check against the memory. */
export function judge(memory: Memory, check: ProcessCheck): Verdict {
  const counts = countsOf(check.units);
  const isBlind = check.isDeploying || check.at - memory.checkedAt > longestGapMs;
  const added = isBlind ? 0 : growth(memory.counts, counts);
  const kept = isBlind ? [] : memory.recent.filter(([at]) => check.at - at < loopWindowMs);
  const recent: Memory["recent"] = added > 0 ? [...kept, [check.at, added]] : kept;
  const isRestless = isBlind || added > 0 || check.units.some(({ isActive }) => !isActive);
  const lastRestartAt = isRestless ? check.at : memory.lastRestartAt;
  const restarts = recent.reduce((sum, [, each]) => sum + each, 0);
  const begins = !memory.isLooping && added > 0 && restarts >= loopRestarts;
  const ends = memory.isLooping && check.at - lastRestartAt >= calmMs;
  const isLooping = (memory.isLooping || begins) && !ends;
  const change = begins ? "began" : ends ? "ended" : undefined;
  return { memory: { checkedAt: check.at, counts, recent, lastRestartAt, isLooping }, change, restarts };
}

/** Whether the memory can be dropped: the next restart begins another one. */
export const isForgettable = ({ counts, recent, isLooping }: Memory): boolean =>
  !isLooping && recent.length === 0 && Object.keys(counts).length === 0;

const countsOf = (units: ProcessCheck["units"]): Record<string, number> =>
  Object.fromEntries(units.map(({ instance, restarts }) => [instance, restarts]));

// A lower count than before means that the unit was started on purpose in between.
function growth(before: Memory["counts"], now: Memory["counts"]): number {
  return Object.entries(now).reduce((sum, [instance, restarts]) => {
    const former = before[instance] ?? 0;
    return sum + (restarts >= former ? restarts - former : restarts);
  }, 0);
}
