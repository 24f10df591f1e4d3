import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pollUntil } from "../lib/clock.ts";

const main = join(import.meta.dirname, "../main.ts");
// On a busy machine. The first start creates the tables of the queues.
const readyTimeoutMs = 180_000;

export interface Ended {
  /** null when a signal ended it. */
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `longshore ARGS` as a process of its own, in an environment with nothing but PATH and `env`. */
export async function longshore(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  return new Command(args, env).ended;
}

/** Starts it; it ends by itself, or by the signal. `ready` resolves at the very moment when it reports that, with false when it ends. */
export function begin(args: string[], env: Record<string, string>) {
  const command = new Command(args, env);
  const isReady = new Promise<true>((resolve) => {
    command.process.stdout?.on("data", () => {
      if (/^Longshore is ready /m.test(command.stdout)) resolve(true);
    });
  });
  const ready = Promise.race([isReady, command.ended.then(() => false)]);
  return { ended: command.ended, ready, signal: (name: NodeJS.Signals): void => void command.process.kill(name) };
}

/** Runs it as a terminal does: `interrupt` reaches all of its processes, as Ctrl-C does. */
export function inTerminal(args: string[]): { ended: Promise<Ended>; interrupt: () => void } {
  const { process: child, ended } = new Command(args, {}, { detached: true });
  return { ended, interrupt: () => void process.kill(-(child.pid ?? 0), "SIGINT") };
}

export interface Platform {
  /** Empty for a worker. */
  url: string;
  pid: number;
  ended: Promise<Ended>;
  signal(name: NodeJS.Signals): void;
  /** What it has printed and logged so far. */
  output(): string;
}

/** A real `longshore up` on a free port, ready. Throws with its output when it ends before. */
export async function startPlatform(data: string, env: Record<string, string> = {}): Promise<Platform> {
  const command = new Command(["up", "--data", data, "--port", "0"], { LONGSHORE_LOG_LEVEL: "warn", ...env });
  let ended: Ended | undefined;
  command.ended.then((end) => {
    ended = end;
  });
  const ready = () => /^Longshore is ready (?:at (\S+)|to work)$/m.exec(command.stdout);
  const found = await pollUntil(() => ready() ?? (ended && "ended"), { timeoutMs: readyTimeoutMs });
  if (!found || found === "ended") {
    command.process.kill("SIGKILL");
    throw new Error(`longshore up did not get ready.\n${command.stdout}${command.stderr}`);
  }
  return {
    url: found[1] ?? "",
    pid: command.process.pid ?? 0,
    ended: command.ended,
    signal: (name) => void command.process.kill(name),
    output: () => command.stdout + command.stderr,
  };
}

class Command {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  stdout = "";
  stderr = "";

  constructor(args: string[], env: Record<string, string>, { detached = false } = {}) {
    this.process = spawn(process.execPath, [main, ...args], {
      detached,
      env: { PATH: process.env.PATH, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.process.stdout?.on("data", (data) => {
      this.stdout += data;
    });
    this.process.stderr?.on("data", (data) => {
      this.stderr += data;
    });
    this.ended = once(this.process, "close").then(([exitCode]) => ({
      exitCode: exitCode as number | null,
      stdout: this.stdout,
      stderr: this.stderr,
    }));
  }
}
