/** When a deployment was queued, began and ended, by the database's clock. */
export interface Span {
  project_id: number;
  created_at: string;
  started_at: string | null;
  ended_at: string | null;
}

type Change = { at: number; what: "ended" | "queued" | "began"; project: number };

const order = { ended: 0, queued: 1, began: 2 };

/**
 * The delay of each start on a server after it became possible, in milliseconds: when there was a free slot, and the project had
 * nothing running. Assumes that the longest waiting deployment starts first.
 */
export function dispatchLatencies(spans: readonly Span[], limit: number): number[] {
  const running = new Set<number>();
  const waiting = new Map<number, number>();
  // Since when each of the starts that are possible now has been possible.
  const since: number[] = [];
  const latencies: number[] = [];
  for (const { at, what, project } of changesOf(spans)) {
    if (what === "ended") running.delete(project);
    else if (what === "queued") waiting.set(project, (waiting.get(project) ?? 0) + 1);
    else {
      latencies.push(at - (since.shift() ?? Number.NaN));
      waiting.set(project, (waiting.get(project) ?? 0) - 1);
      running.add(project);
    }
    const startable = [...waiting].filter(([id, count]) => count > 0 && !running.has(id)).length;
    const possible = Math.max(0, Math.min(limit - running.size, startable));
    while (since.length < possible) since.push(at);
    since.length = possible;
  }
  return latencies.filter((latency) => !Number.isNaN(latency));
}

function changesOf(spans: readonly Span[]): Change[] {
  const changes = spans.flatMap(({ project_id: project, created_at, started_at, ended_at }): Change[] => [
    { at: timeOf(created_at), what: "queued", project },
    ...(started_at ? [{ at: timeOf(started_at), what: "began" as const, project }] : []),
    ...(ended_at ? [{ at: timeOf(ended_at), what: "ended" as const, project }] : []),
  ]);
  return changes.sort((a, b) => a.at - b.at || order[a.what] - order[b.what]);
}

// With the microseconds, which Date drops.
const timeOf = (text: string): number => Date.parse(`${text.slice(0, 19)}Z`) + Number(`0${text.slice(19, -1)}`) * 1000;

/**
 * The delay of each start on a server after the end that freed its slot, in milliseconds by the server's clock: how long the slot
 * is empty, from the last journal entry of one run to the first of the next.
 */
export function emptyTimes(runs: readonly { began: number; ended: number | undefined }[], limit: number): number[] {
  const begins = runs.map(({ began }) => began).sort((a, b) => a - b);
  const ends = runs.map(({ ended }) => ended ?? Infinity).sort((a, b) => a - b);
  return begins.slice(limit).map((began, at) => began - (ends[at] as number));
}

/** The maximum of each list that ran at one time. */
export function mostAtOnce(servers: readonly (readonly { began: number; ended: number | undefined }[])[]): number {
  const most = (runs: readonly { began: number; ended: number | undefined }[]): number =>
    Math.max(
      0,
      ...runs.map(
        ({ began }) => runs.filter((other) => other.began <= began && began < (other.ended ?? Infinity)).length,
      ),
    );
  return Math.max(0, ...servers.map(most));
}

export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN;
}
