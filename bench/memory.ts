import { processTree } from "./start.ts";

/** Looks at a platform's memory (PSS, in MB) until it is stopped: what it was at first and at most. PostgreSQL not counted. */
export function watchMemory(pid: number): { stop(): { first: number; most: number } } {
  const seen: number[] = [];
  const look = async (): Promise<void> => {
    const own = (await processTree(pid)).filter(({ name }) => name !== "postgres");
    seen.push(own.reduce((all, { megabytes }) => all + megabytes, 0));
  };
  void look();
  const timer = setInterval(() => void look(), 250);
  const stop = () => {
    clearInterval(timer);
    return { first: seen[0] ?? 0, most: Math.max(0, ...seen) };
  };
  return { stop };
}
