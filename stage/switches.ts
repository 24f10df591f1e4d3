import { setTimeout as pause } from "node:timers/promises";
import { type LoadResult, startLoad, total } from "./load.ts";
import type { SampleProject } from "./projects.ts";

/** One release made live while visitors came. */
export interface Switch extends LoadResult {
  project: string;
  action: string;
  /** From the request to the API until the deployment was a success. */
  seconds: number;
}

// Some requests before and after, so that the switch is in the middle of them.
const marginMs = 500;

/** Runs `change` under two loads at once: kept connections, and one connection per request. */
export async function underLoad(
  address: string,
  project: SampleProject,
  action: string,
  change: () => Promise<unknown>,
): Promise<Switch> {
  const target = { url: `http://${address}/`, host: project.domain };
  const loads = [
    startLoad({ ...target, connections: "kept", concurrency: 16 }),
    startLoad({ ...target, connections: "one-per-request", concurrency: 4 }),
  ];
  try {
    await pause(marginMs);
    const startedAt = performance.now();
    await change();
    const seconds = (performance.now() - startedAt) / 1000;
    await pause(marginMs);
    const counted = await Promise.all(loads.map((load) => load.stop()));
    return { project: project.name, action, seconds, ...total(counted) };
  } finally {
    await Promise.allSettled(loads.map((load) => load.stop()));
  }
}
