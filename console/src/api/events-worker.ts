/// <reference lib="webworker" />
import { type Connection, follow } from "./stream.ts";

// One stream of events an organization for all tabs of the browser: six open streams would block every other request over
// HTTP/1.1.

export type FromPage = { watch: number } | { isAlive: true } | { leave: true };
export type ToPage =
  | { organization: number; connection: Connection }
  | { organization: number; event: { name: string; data: unknown } }
  | { organization: number; refused: number };

interface Page {
  port: MessagePort;
  organization?: number;
  seenAt: number;
}

/** A page that is hidden may run its timers once a minute. */
const goneAfterMs = 150_000;
const pages = new Map<MessagePort, Page>();
const streams = new Map<number, { ended: AbortController; connection: Connection }>();

(globalThis as unknown as SharedWorkerGlobalScope).onconnect = ({ ports: [port] }) => {
  if (!port) return;
  const page: Page = { port, seenAt: Date.now() };
  pages.set(port, page);
  port.onmessage = ({ data }: MessageEvent<FromPage>) => receive(page, data);
};

setInterval(() => {
  for (const page of pages.values()) if (Date.now() - page.seenAt > goneAfterMs) remove(page);
}, goneAfterMs / 3);

function receive(page: Page, message: FromPage): void {
  page.seenAt = Date.now();
  if ("leave" in message) remove(page);
  else if ("watch" in message) watch(page, message.watch);
}

function watch(page: Page, organization: number): void {
  pages.set(page.port, page);
  page.organization = organization;
  endUnwatched();
  const { connection } = streams.get(organization) ?? open(organization);
  page.port.postMessage({ organization, connection } satisfies ToPage);
}

function remove(page: Page): void {
  pages.delete(page.port);
  endUnwatched();
}

function endUnwatched(): void {
  const watched = new Set([...pages.values()].map(({ organization }) => organization));
  for (const [organization, { ended }] of streams) {
    if (watched.has(organization)) continue;
    streams.delete(organization);
    ended.abort();
  }
}

function open(organization: number) {
  const stream = { ended: new AbortController(), connection: "connecting" as Connection };
  streams.set(organization, stream);
  const tell = (message: ToPage) => {
    if (streams.get(organization) !== stream) return;
    for (const page of pages.values()) if (page.organization === organization) page.port.postMessage(message);
  };
  void follow({
    address: () => "/api/v1/events",
    headers: { "X-Organization": String(organization) },
    signal: stream.ended.signal,
    onEvent: (event) => tell({ organization, event }),
    onGap: () => tell({ organization, event: { name: "events.missed", data: {} } }),
    onConnection: (connection) => {
      stream.connection = connection;
      tell({ organization, connection });
    },
    onRefused: ({ status }) => {
      tell({ organization, refused: status });
      streams.delete(organization);
    },
  });
  return stream;
}
