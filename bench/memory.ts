import { memoryOf } from "./start.ts";

/**
 * Looks at a process's memory (PSS, in MB) until it is stopped: what it was at first and at most. Only at its own, since each
 * look walks through all of it: PostgreSQL is not counted, and a platform has no other process.
 */
export function watchMemory(pid: number): { stop(): { first: number; most: number } } {
  const seen: number[] = [];
  const look = async (): Promise<void> => void seen.push((await memoryOf(pid)).megabytes);
  void look();
  const timer = setInterval(() => void look(), 250);
  const stop = () => {
    clearInterval(timer);
    return { first: seen[0] ?? 0, most: Math.max(0, ...seen) };
  };
  return { stop };
}
