/** The stored state of a process, or of a job's processes, between two looks. Times are milliseconds since 1970. */
export interface Memory {
  lookedAt: number;
  /** Restarts since each unit was started on purpose, by its instance. */
  counts: Readonly<Record<string, number>>;
  /** The looks of the last minutes that found new restarts, and how many. */
  recent: readonly (readonly [at: number, restarts: number])[];
  /** When a restart was last seen, or a look was impossible. */
  lastRestartAt: number;
  isLooping: boolean;
}

/** One look at the units of a process. */
export interface Look {
  at: number;
  /** The units that were restarted since they were started on purpose. */
  units: readonly { instance: string; restarts: number; isActive: boolean }[];
  /** A deployment is replacing its processes, or did so since the last look: restarts then prove nothing. */
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
/** After a longer gap between two looks the times of the restarts are unknown. */
export const longestGapMs = 3 * minute;

/** The first look at restarted units: the number of earlier restarts is known, but not their times. */
export const firstMemory = ({ at, units }: Look): Memory => ({
  lookedAt: at,
  counts: countsOf(units),
  recent: [],
  lastRestartAt: at,
  isLooping: false,
});

/** Evaluates a look against the memory. */
export function judge(memory: Memory, look: Look): Verdict {
  const counts = countsOf(look.units);
  const isBlind = look.isDeploying || look.at - memory.lookedAt > longestGapMs;
  const added = isBlind ? 0 : growth(memory.counts, counts);
  const kept = isBlind ? [] : memory.recent.filter(([at]) => look.at - at < loopWindowMs);
  const recent: Memory["recent"] = added > 0 ? [...kept, [look.at, added]] : kept;
  const isRestless = isBlind || added > 0 || look.units.some(({ isActive }) => !isActive);
  const lastRestartAt = isRestless ? look.at : memory.lastRestartAt;
  const restarts = recent.reduce((sum, [, each]) => sum + each, 0);
  const begins = !memory.isLooping && added > 0 && restarts >= loopRestarts;
  const ends = memory.isLooping && look.at - lastRestartAt >= calmMs;
  const isLooping = (memory.isLooping || begins) && !ends;
  const change = begins ? "began" : ends ? "ended" : undefined;
  return { memory: { lookedAt: look.at, counts, recent, lastRestartAt, isLooping }, change, restarts };
}

/** Whether the memory can be dropped: the next restart begins another one. */
export const isForgettable = ({ counts, recent, isLooping }: Memory): boolean =>
  !isLooping && recent.length === 0 && Object.keys(counts).length === 0;

const countsOf = (units: Look["units"]): Record<string, number> =>
  Object.fromEntries(units.map(({ instance, restarts }) => [instance, restarts]));

// A lower count than before means that the unit was started on purpose in between.
function growth(before: Memory["counts"], now: Memory["counts"]): number {
  return Object.entries(now).reduce((sum, [instance, restarts]) => {
    const former = before[instance] ?? 0;
    return sum + (restarts >= former ? restarts - former : restarts);
  }, 0);
}
