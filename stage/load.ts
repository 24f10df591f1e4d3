import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("load.lua", import.meta.url));

export interface LoadOptions {
  /** `http://ADDRESS/path`; the address, not a name. */
  url: string;
  /** Sent as Host. */
  host: string;
  /** Whether connections are kept open, or each request has its own. */
  connections: "kept" | "one-per-request";
  concurrency?: number;
  /** The load ends after this, in case the caller does not stop it. */
  maxSeconds?: number;
  /** After this many requests it sends none until it is stopped or its time is over. */
  maxRequests?: number;
  /** Paths at random: `path` as `string.format` takes it, with a number from 1 to `highest`. */
  numbered?: { path: string; highest: number };
  /** Accepts compressed responses, as browsers do. */
  compressed?: boolean;
  /** Text that every page has; one without it counts as failed. */
  wanted?: string;
  /** Text that no page may have. */
  forbidden?: string;
}

export interface LoadResult {
  requests: number;
  /** Responses that are not 2xx or not as expected, and connections that were refused, broken or timed out. */
  failed: number;
  /** The failures, such as `502: 3, read: 1`; empty if there are none. */
  failures: string;
  perSecond: number;
  latencyMs: { median: number; p99: number; max: number };
}

export interface Load {
  /** Ends the load and resolves with its counts. */
  stop(): Promise<LoadResult>;
  /** Its counts, if it ends at a limit. */
  ended: Promise<LoadResult>;
}

/** Sends requests as fast as they are answered, until it is stopped or reaches a limit. */
export function startLoad(options: LoadOptions): Load {
  assertOurs(options.url);
  const { url, host, connections, concurrency = 32, maxSeconds = 60, maxRequests = 2_000_000 } = options;
  const { wanted = "", forbidden = "", numbered } = options;
  const paths = numbered ? [numbered.path, `${numbered.highest}`] : [];
  const headers = [
    "-H",
    `Host: ${host}`,
    ...(options.compressed ? ["-H", "Accept-Encoding: gzip"] : []),
    ...(connections === "kept" ? [] : ["-H", "Connection: close"]),
  ];
  const shape = ["--threads", "1", "--connections", `${concurrency}`, "--duration", `${maxSeconds}s`];
  const wrk = spawn(
    "wrk",
    [
      ...shape,
      "--timeout",
      "10s",
      "--script",
      script,
      ...headers,
      url,
      "--",
      `${maxRequests}`,
      wanted,
      forbidden,
      ...paths,
    ],
    {
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const killIt = (): void => void wrk.kill();
  process.once("exit", killIt);
  const ended = resultOf(wrk).finally(() => process.off("exit", killIt));
  // The caller receives the failure when it stops the load.
  ended.catch(() => {});
  return {
    ended,
    stop() {
      wrk.kill("SIGINT");
      return ended;
    },
  };
}

/** Merges results: rates are summed, the worst latency counts. */
export function total(results: readonly LoadResult[]): LoadResult {
  const sum = (value: (result: LoadResult) => number): number => results.reduce((all, each) => all + value(each), 0);
  const worst = (value: (result: LoadResult) => number): number => Math.max(0, ...results.map(value));
  return {
    requests: sum((result) => result.requests),
    failed: sum((result) => result.failed),
    failures: results.flatMap((result) => result.failures || []).join("; "),
    perSecond: sum((result) => result.perSecond),
    latencyMs: {
      median: worst((result) => result.latencyMs.median),
      p99: worst((result) => result.latencyMs.p99),
      max: worst((result) => result.latencyMs.max),
    },
  };
}

// A load generator must never reach someone else's machine: only loopback, and the ranges of the sandbox.
const ours = /^(127\.\d+|10\.213|172\.29|192\.168(?=\.2[0-3]\d\.))\.\d+\.\d+$/;

function assertOurs(url: string): void {
  const { hostname } = new URL(url);
  if (!ours.test(hostname)) throw new Error(`Load is only for servers of the sandbox, not for ${hostname}`);
}

async function resultOf(wrk: ChildProcess): Promise<LoadResult> {
  const output: string[] = [];
  wrk.stdout?.setEncoding("utf8").on("data", (text: string) => output.push(text));
  wrk.stderr?.setEncoding("utf8").on("data", (text: string) => output.push(text));
  await new Promise((resolve, reject) => {
    wrk.once("error", (cause) => reject(new Error("wrk was not found: apt-get install wrk", { cause })));
    wrk.once("close", resolve);
  });
  const line = /^load (\{.*\})$/m.exec(output.join(""))?.[1];
  if (!line) throw new Error(`wrk ended without a result:\n${output.join("")}`);
  return toResult(JSON.parse(line) as Counted);
}

/** The output of load.lua. */
interface Counted {
  requests: number;
  seconds: number;
  statuses: Record<string, number>;
  errors: Record<"connect" | "read" | "write" | "timeout" | "wrong content", number>;
  latencyUs: { median: number; p99: number; max: number };
}

function toResult({ requests, seconds, statuses, errors, latencyUs }: Counted): LoadResult {
  const failures = [...Object.entries(statuses), ...Object.entries(errors)].filter(([, count]) => count > 0);
  return {
    requests,
    failed: failures.reduce((all, [, count]) => all + count, 0),
    failures: failures.map(([what, count]) => `${what}: ${count}`).join(", "),
    perSecond: Math.round(requests / seconds),
    latencyMs: { median: latencyUs.median / 1000, p99: latencyUs.p99 / 1000, max: latencyUs.max / 1000 },
  };
}
