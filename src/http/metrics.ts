import { createServer, type Server } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Context } from "../context.ts";

export interface Metrics {
  observe(method: string, route: string, status: number, seconds: number): void;
  /** Opens the port of the configuration; does nothing when none is set. */
  listen(): Promise<void>;
  close(): Promise<void>;
  /** The Prometheus text format. */
  text(): string;
}

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const sources = new Set<() => string[]>();

/** Adds lines in the Prometheus text format to those of this process; the same source counts once. */
export const addMetrics = (source: () => string[]): void => void sources.add(source);

interface Series {
  labels: string;
  count: number;
  sum: number;
  /** How many observations fell into each bucket; not cumulative. */
  inBucket: number[];
}

/** Requests by method, route pattern and status. Patterns, so that the number of series is that of the route table. */
export function openMetrics({ config, pool, log }: Context): Metrics {
  const series = new Map<string, Series>();
  const port = config.metricsPort;
  const delay = monitorEventLoopDelay({ resolution: 20 });
  let server: Server | undefined;

  function observe(method: string, route: string, status: number, seconds: number): void {
    if (port === undefined) return;
    const labels = `method="${method}",route="${route}",status="${status}"`;
    let one = series.get(labels);
    if (!one) {
      one = { labels, count: 0, sum: 0, inBucket: buckets.map(() => 0) };
      series.set(labels, one);
    }
    one.count += 1;
    one.sum += seconds;
    const bucket = buckets.findIndex((limit) => seconds <= limit);
    if (bucket >= 0) one.inBucket[bucket] = (one.inBucket[bucket] ?? 0) + 1;
  }

  const text = (): string =>
    [
      "# TYPE longshore_http_request_duration_seconds histogram",
      ...[...series.values()].flatMap(linesOf),
      ...gauge("longshore_database_connections", pool.totalCount),
      ...gauge("longshore_database_connections_idle", pool.idleCount),
      ...gauge("longshore_database_requests_waiting", pool.waitingCount),
      ...gauge("longshore_event_loop_delay_p99_seconds", delay.percentile(99) / 1e9),
      ...gauge("process_resident_memory_bytes", process.memoryUsage.rss()),
      ...gauge("process_uptime_seconds", Math.round(process.uptime())),
      ...[...sources].flatMap((source) => source()),
      "",
    ].join("\n");

  async function listen(): Promise<void> {
    if (port === undefined) return;
    delay.enable();
    const listening = createServer((_request, response) => {
      response.writeHead(200, { "Content-Type": "text/plain; version=0.0.4" }).end(text());
    });
    server = listening;
    await new Promise<void>((resolve, reject) => {
      listening.once("error", reject).listen(port, config.host, resolve);
    });
    log.info({ address: listening.address() }, "metrics");
  }

  async function close(): Promise<void> {
    delay.disable();
    server?.closeAllConnections();
    await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
  }

  return { observe, listen, close, text };
}

function linesOf({ labels, count, sum, inBucket }: Series): string[] {
  const name = "longshore_http_request_duration_seconds";
  let cumulative = 0;
  const lines = buckets.map((limit, index) => {
    cumulative += inBucket[index] ?? 0;
    return `${name}_bucket{${labels},le="${limit}"} ${cumulative}`;
  });
  return [
    ...lines,
    `${name}_bucket{${labels},le="+Inf"} ${count}`,
    `${name}_sum{${labels}} ${sum}`,
    `${name}_count{${labels}} ${count}`,
  ];
}

const gauge = (name: string, value: number): string[] => [`# TYPE ${name} gauge`, `${name} ${value}`];
