import { memoryOf } from "./start.ts";

/**
 * Samples a process's memory (PSS, in MB) until it is stopped: the first value and the maximum. Only of this process, since each
 * sample walks through all of its memory: PostgreSQL is not counted, and a platform has no other process.
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
