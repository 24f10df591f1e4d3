import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startProcess } from "../stage/fixture.ts";
import { type Benchmark, type Measurement, median, type Session } from "./benchmark.ts";

const laterStarts = 5;
/** How long a process is left alone before its memory is read: it has closed the connections of its start by then. */
const idleMs = 10_000;

export const startBenchmark: Benchmark = {
  name: "start",
  what: "from the command to an answering platform with its database, and its memory when idle",
  comparedTo: "a bare Node HTTP server of three lines",
  async run(session) {
    const dataDirectory = join(session.directory, "data");
    session.update("first start");
    const first = await startAndStop(session, dataDirectory);
    const later: number[] = [];
    for (let at = 1; at <= laterStarts; at++) {
      session.update(`later start ${at} of ${laterStarts}`);
      later.push(await startAndStop(session, dataDirectory));
    }
    session.update("idle memory");
    const memory = await idleMemory(session, dataDirectory);
    const bare = await bareNode();
    const compared = (value: number) => [{ to: "bare Node", value }];
    const measurements: Measurement[] = [
      { what: "first start, with an empty data directory", unit: "s", value: first },
      {
        what: `later start, median of ${laterStarts}`,
        unit: "s",
        value: median(later),
        compared: compared(bare.seconds),
      },
      { what: "idle memory (PSS), Node", unit: "MB", value: memory.node, compared: compared(bare.megabytes) },
      { what: "idle memory (PSS), PostgreSQL", unit: "MB", value: memory.postgres },
      { what: "idle memory (PSS), all", unit: "MB", value: memory.node + memory.postgres },
    ];
    return { measurements, failures: [] };
  },
};

/** Seconds until it answered. */
async function startAndStop(session: Session, dataDirectory: string): Promise<number> {
  const started = await startProcess({ dataDirectory });
  session.cleanUp(started.stop);
  await started.stop();
  return started.readyAfterMs / 1000;
}

async function idleMemory(session: Session, dataDirectory: string): Promise<{ node: number; postgres: number }> {
  const started = await startProcess({ dataDirectory });
  session.cleanUp(started.stop);
  await pause(idleMs);
  const processes = await processTree(started.pid);
  await started.stop();
  const sum = (isIt: (name: string) => boolean): number =>
    processes.reduce((all, { name, megabytes }) => (isIt(name) ? all + megabytes : all), 0);
  return { node: sum((name) => name !== "postgres"), postgres: sum((name) => name === "postgres") };
}

export interface ProcessMemory {
  name: string;
  megabytes: number;
}

/** A process and its descendants. PSS: shared pages are counted once, divided among the processes that share them. */
export async function processTree(root: number): Promise<ProcessMemory[]> {
  const parents = new Map<number, number>();
  for (const entry of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const stat = await readFile(`/proc/${entry}/stat`, "utf8").catch(() => "");
    parents.set(Number(entry), Number(/\) \S (\d+)/.exec(stat)?.[1]));
  }
  const isOurs = (pid: number | undefined): boolean => pid === root || (pid !== undefined && isOurs(parents.get(pid)));
  return Promise.all([...parents.keys()].filter(isOurs).map(memoryOf));
}

export async function memoryOf(pid: number): Promise<ProcessMemory> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
  const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "");
  return { name: name.trim(), megabytes: Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0) / 1024 };
}

const bareServer =
  'require("node:http").createServer((_, r) => r.end()).listen(0, "127.0.0.1", () => console.log("ready"))';

async function bareNode(): Promise<{ seconds: number; megabytes: number }> {
  const seconds: number[] = [];
  let megabytes = 0;
  for (let at = 1; at <= laterStarts; at++) {
    const startedAt = performance.now();
    const child = spawn(process.execPath, ["-e", bareServer], { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    seconds.push((performance.now() - startedAt) / 1000);
    if (at === laterStarts) {
      await pause(idleMs);
      megabytes = (await memoryOf(child.pid as number)).megabytes;
    }
    child.kill();
    await once(child, "exit");
  }
  return { seconds: median(seconds), megabytes };
}
