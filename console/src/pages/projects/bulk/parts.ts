import type { ProjectState } from "../../../data/projects.ts";

/** The most that a request about many projects takes. */
export const mostIds = 1_000;

export const inParts = <Value>(values: readonly Value[], size = mostIds): Value[][] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, index) => values.slice(index * size, (index + 1) * size));

export interface Counted {
  /** Those that still exist and can be seen. */
  total: number;
  states: ReadonlyMap<ProjectState, number>;
  /** Apps of the catalog: they have no deployments. */
  appIds: readonly number[];
}

export interface PartCount {
  total_items: number;
  states: readonly { state: ProjectState; count: number }[];
  appIds: readonly number[];
}

/** The sum of the counts of parts. */
export function summed(parts: readonly PartCount[]): Counted {
  const states = new Map<ProjectState, number>();
  for (const { state, count } of parts.flatMap((part) => part.states))
    states.set(state, (states.get(state) ?? 0) + count);
  return {
    total: parts.reduce((total, part) => total + part.total_items, 0),
    states,
    appIds: parts.flatMap((part) => part.appIds),
  };
}

/** How far a change of many came; what failed stops it. */
export interface Outcome {
  done: number;
  error: Error | undefined;
}

/** Changes part after part: each is changed as a whole, or not at all. */
export async function changeInParts(
  ids: readonly number[],
  change: (part: number[]) => Promise<unknown>,
  size = mostIds,
): Promise<Outcome> {
  let done = 0;
  for (const part of inParts(ids, size)) {
    try {
      await change(part);
    } catch (error) {
      return { done, error: error as Error };
    }
    done += part.length;
  }
  return { done, error: undefined };
}
