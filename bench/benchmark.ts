/** What a benchmark uses while it runs. */
export interface Session {
  /** A temporary folder, removed afterwards. */
  directory: string;
  /** Few repetitions: to see that it works, not to measure. */
  quick: boolean;
  /** Shows what is being done. */
  update(text: string): void;
  /** Registers a clean-up for the end, also after failures; the last first. */
  cleanUp(work: () => Promise<unknown>): void;
}

export interface Measurement {
  what: string;
  unit: "s" | "ms" | "KB" | "MB" | "%" | "requests" | "deployments" | "reloads" | "checks" | "failed";
  value: number;
  /** The values of alternatives, measured in the same run. */
  compared?: { to: string; value: number }[];
}

export interface Result {
  /** Detailed counts, shown before the measurements; each row as long as the head. */
  table?: { head: string[]; rows: string[][] };
  measurements: Measurement[];
  /** What a reader must know to compare them, shown below. */
  notes?: string[];
  /** Why the run failed, such as failed requests. */
  failures: string[];
}

export interface Benchmark {
  name: string;
  what: string;
  comparedTo: string;
  run(session: Session): Promise<Result>;
}

/** The middle value; with an even number of them the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new Error("There is no median of nothing.");
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] as number) + (sorted[Math.floor(middle)] as number)) / 2;
}

/** Runs the work; resolves with how many seconds it took. */
export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}
