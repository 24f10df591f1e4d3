import { createServer, type Server } from "node:http";
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Context } from "../context.ts";
import { processMetrics } from "../lib/metrics.ts";

export interface Metrics {
  observe(method: string, route: string, status: number, seconds: number): void;
  /** Opens the port of the configuration; does nothing when none is set. */
  listen(): Promise<void>;
  close(): Promise<void>;
  /** The Prometheus text format. Rejects while the database cannot be read. */
  text(): Promise<string>;
}

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Metrics for requests, the database pool and the process itself, in addition to those of `processMetrics`. */
export function openMetrics({ config, pool, log }: Context): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const port = config.metricsPort;
  let server: Server | undefined;

  // Labelled with the route's pattern, so that the route table limits the number of series.
  const requests = new Histogram({
    name: "longshore_http_request_duration_seconds",
    help: "Duration of requests by method, route and status.",
    labelNames: ["method", "route", "status"],
    buckets,
    registers,
  });
  const gauge = (name: string, help: string, read: () => number): unknown =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  gauge("longshore_database_connections", "Connections of this process to the database.", () => pool.totalCount);
  gauge("longshore_database_connections_idle", "Connections that no request uses.", () => pool.idleCount);
  gauge("longshore_database_requests_waiting", "Callers that wait for a connection.", () => pool.waitingCount);

  function observe(method: string, route: string, status: number, seconds: number): void {
    if (port !== undefined) requests.observe({ method, route, status }, seconds);
  }

  const text = (): Promise<string> => Registry.merge([registry, processMetrics]).metrics();

  async function listen(): Promise<void> {
    if (port === undefined) return;
    collectDefaultMetrics({ register: registry });
    const listening = createServer((_request, response) => {
      text().then(
        (metrics) => response.writeHead(200, { "Content-Type": registry.contentType }).end(metrics),
        (err: unknown) => {
          log.warn({ err }, "metrics");
          response.writeHead(503).end();
        },
      );
    });
    server = listening;
    await new Promise<void>((resolve, reject) => {
      listening.once("error", reject).listen(port, config.host, resolve);
    });
    log.info({ address: listening.address() }, "metrics");
  }

  async function close(): Promise<void> {
    server?.closeAllConnections();
    await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
  }

  return { observe, listen, close, text };
}
