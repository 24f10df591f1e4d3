import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { rows, sql } from "../../src/db/sql.ts";
import type { Entry } from "../../src/engine/runs/journal.ts";
import { findRun } from "../../src/engine/runs/queries.ts";
import { applyUpdate, parseUpdate } from "../../src/engine/runs/store.ts";
import { deploymentRunKinds } from "../../src/features/deployments/jobs.ts";
import {
  addProject,
  addProvisioned,
  dispatch,
  findRow,
  finishRun,
  openStage,
  type Stage,
  startRuns,
} from "../../src/features/deployments/tests/support.ts";
import { pollUntil } from "../../src/lib/clock.ts";

// The client as people run it, a process of its own, with a whole control plane that has no servers: the tests do what workers do.

const program = join(import.meta.dirname, "../../cli/src/main.ts");

export interface Ended {
  status: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** What was printed so far. */
  output: () => { stdout: string; stderr: string };
  /** Resolves when the condition on what was printed holds. */
  until: (isSo: (printed: { stdout: string; stderr: string }) => boolean) => Promise<void>;
  ended: Promise<Ended>;
}

export interface Options {
  env?: Record<string, string>;
  input?: string;
  cwd?: string;
}

export interface ClientStage extends Stage {
  origin: string;
  server: number;
  /** A folder of the test's own, in which the client runs. */
  folder: string;
  /** A project that is live, with two releases. */
  project: number;
  start: (args: readonly string[], options?: Options) => Running;
  longshore: (args: readonly string[], options?: Options) => Promise<Ended>;
}

/** The environment of the client: signed in as Alice by its variables, and nothing of the machine's. */
export const environment = (stage: Pick<ClientStage, "origin" | "cast" | "folder">): Record<string, string> => ({
  PATH: process.env.PATH ?? "",
  HOME: stage.folder,
  XDG_CONFIG_HOME: join(stage.folder, "config"),
  XDG_CACHE_HOME: join(stage.folder, "cache"),
  LONGSHORE_URL: stage.origin,
  LONGSHORE_TOKEN: stage.cast.alice,
  // As the launcher: many short processes of the same program begin in a third of the time.
  ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
});

export async function openClientStage(): Promise<ClientStage> {
  // No server answers: a request does not wait for one.
  const stage = await openStage({ answerWithinSeconds: "1" });
  const origin = await stage.app.listen({ host: "127.0.0.1", port: 0 });
  const folder = await mkdtemp(join(tmpdir(), "longshore-client-"));
  const server = await addProvisioned(stage);
  const project = await addProject(stage.pool, server);
  const start = (args: readonly string[], { env = {}, input, cwd = folder }: Options = {}): Running =>
    startProgram([process.execPath, program, ...args], {
      env: { ...environment({ ...stage, origin, folder }), ...env },
      cwd,
      input,
    });
  const longshore = (args: readonly string[], options: Options = {}) => start(args, { input: "", ...options }).ended;
  const close = async () => {
    for (const child of running) child.kill("SIGKILL");
    await stage.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { ...stage, origin, server, folder, project, start, longshore, close };
}

/** Processes that a failed test left behind end with the stage. */
const running = new Set<{ kill(signal: NodeJS.Signals): boolean }>();

interface Start {
  env: Record<string, string>;
  cwd: string;
  input?: string | undefined;
}

export function startProgram([file = "", ...args]: readonly string[], { env, cwd, input }: Start): Running {
  const child = spawn(file, args, { env, cwd, stdio: ["pipe", "pipe", "pipe"] });
  running.add(child);
  child.once("close", () => running.delete(child));
  const printed = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    printed.stderr += text;
  });
  child.stdin.on("error", () => undefined);
  if (input !== undefined) child.stdin.end(input);
  const ended = once(child, "close").then(([status, signal]) => ({ status, signal, ...printed }) as Ended);
  const until = async (isSo: (now: typeof printed) => boolean) => {
    if (await pollUntil(() => isSo(printed), { timeoutMs: 20_000, everyMs: 10 })) return;
    throw new Error(`It was not printed:\n${printed.stdout}\n${printed.stderr}`);
  };
  return { child, output: () => printed, until, ended };
}

/** What a worker does with a deployment: it begins, prints and ends. */
export class SimulatedDeployment {
  private readonly stage: Stage;
  readonly id: number;
  private offset = 0;

  constructor(stage: Stage, id: number) {
    this.stage = stage;
    this.id = id;
  }

  async begin(): Promise<void> {
    const { server_id } = await findRow(this.stage, this.id);
    await dispatch(this.stage, Number(server_id));
    await startRuns(this.stage);
    await this.report({ type: "run", at: Date.now() }, { type: "step", position: 0, at: Date.now() });
  }

  async print(text: string): Promise<void> {
    await this.report({ type: "output", bytes: Buffer.from(text), offset: this.offset + 7 });
  }

  async end(
    outcome: "succeeded" | "failed" | "cancelled" = "succeeded",
    reason = "It went wrong.",
    commit = "a",
  ): Promise<void> {
    const exitCode = outcome === "succeeded" ? 0 : 1;
    await this.report({ type: "done", position: 0, exitCode, durationMs: 1_200, at: Date.now() });
    await finishRun(this.stage, this.id, outcome, { commit: commit.repeat(40).slice(0, 40) }, reason);
  }

  private async report(...entries: Entry[]): Promise<void> {
    const run = await findRun(this.stage.pool, Number((await findRow(this.stage, this.id)).run_id));
    if (!run) throw new Error("The deployment has not begun.");
    const kinds = new Map(deploymentRunKinds(this.stage.ctx).map((kind) => [kind.kind, kind]));
    const update = parseUpdate(run, { entries, consumed: 100_000, offset: this.offset }, 0, (bytes) => bytes);
    await applyUpdate({ pool: this.stage.pool, kinds }, update);
    this.offset += 100_000;
  }
}

/** Resolves with the newest deployment once it is newer than `after`. */
export async function nextDeployment(stage: Stage, after = 0): Promise<SimulatedDeployment> {
  let id = 0;
  const isThere = async () => {
    const [newest] = await rows<{ id: number }>(stage.pool, sql`select id from deployments order by id desc limit 1`);
    id = Number(newest?.id ?? 0);
    return id > after;
  };
  if (!(await pollUntil(isThere, { timeoutMs: 60_000, everyMs: 20 }))) throw new Error("There is no deployment.");
  return new SimulatedDeployment(stage, id);
}

export const newestDeployment = async (stage: Stage): Promise<number> =>
  Number((await rows<{ id: number }>(stage.pool, sql`select max(id) as id from deployments`))[0]?.id ?? 0);

/** Makes the project a live one, by a deployment that succeeds. */
export async function makeLive(stage: ClientStage, commit = "a", project = stage.project): Promise<number> {
  const before = await newestDeployment(stage);
  const queued = stage.longshore(["deploy", String(project), "--detach"]);
  const deployment = await nextDeployment(stage, before);
  await queued;
  await deployment.begin();
  await deployment.end("succeeded", "", commit);
  return deployment.id;
}

/** A TCP address before an origin that can be cut at any packet that comes from there. */
export interface CuttingProxy {
  url: string;
  /** How many packets the origin has sent. */
  readonly packets: number;
  /** Ends all connections at these packets; new ones work. */
  cutAt(...packets: number[]): void;
  /** Ends all connections, and refuses new ones until `accept`. */
  refuse(): void;
  accept(): void;
  close(): Promise<void>;
}

export async function cuttingProxy(origin: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(origin);
  const sockets = new Set<Socket>();
  const cuts = new Set<number>();
  let packets = 0;
  let isRefusing = false;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    if (isRefusing) return client.destroy();
    const upstream = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("error", () => undefined);
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    client.on("data", (data) => upstream.write(data));
    upstream.on("data", (data) => {
      packets++;
      if (cuts.has(packets)) cut();
      else client.write(data);
    });
    return undefined;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get packets() {
      return packets;
    },
    cutAt: (...at) => {
      for (const packet of at) cuts.add(packet);
    },
    refuse: () => {
      isRefusing = true;
      cut();
    },
    accept: () => {
      isRefusing = false;
    },
    close: async () => {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
