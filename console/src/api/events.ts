import type { FromPage, ToPage } from "./events-worker.ts";
import workerAddress from "./events-worker.ts?sharedworker&url";
import { type Connection, follow } from "./stream.ts";

export interface Listener {
  onEvent: (name: string, data: unknown) => void;
  onConnection: (connection: Connection) => void;
  /** The stream was refused, such as with 401 after the session ended. */
  onRefused: (status: number) => void;
}

/** Every tab says that it is alive: a worker is not notified of tabs that ended. */
const aliveEveryMs = 30_000;
/** Without a shared worker a hidden tab gives its stream back. */
const hiddenForMs = 60_000;

/** Listens to the events of an organization. Returns how to stop. */
export function listenToEvents(organization: number, listener: Listener): () => void {
  return "SharedWorker" in globalThis
    ? listenThroughWorker(organization, listener)
    : listenDirectly(organization, listener);
}

function listenThroughWorker(organization: number, listener: Listener): () => void {
  const worker = new SharedWorker(policy?.createScriptURL(workerAddress) ?? workerAddress, {
    type: "module",
    name: "events",
  });
  const send = (message: FromPage) => worker.port.postMessage(message);
  worker.port.onmessage = ({ data }: MessageEvent<ToPage>) => {
    if (data.organization !== organization) return;
    if ("event" in data) listener.onEvent(data.event.name, data.event.data);
    else if ("connection" in data) listener.onConnection(data.connection);
    else listener.onRefused(data.refused);
  };
  const watch = () => send({ watch: organization });
  const leave = () => send({ leave: true });
  watch();
  const alive = setInterval(() => send({ isAlive: true }), aliveEveryMs);
  addEventListener("pagehide", leave);
  addEventListener("pageshow", watch);
  return () => {
    clearInterval(alive);
    removeEventListener("pagehide", leave);
    removeEventListener("pageshow", watch);
    leave();
    worker.port.close();
  };
}

/** What the page's content security policy requires for the address of a script; TypeScript does not know it yet. */
interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string };
}
const policies = (globalThis as { trustedTypes?: Policies }).trustedTypes;
const policy = policies?.createPolicy("longshore", {
  createScriptURL: (url) => {
    if (url !== workerAddress) throw new TypeError("This policy only allows the worker of the console.");
    return url;
  },
});

function listenDirectly(organization: number, listener: Listener): () => void {
  let ended = new AbortController();
  let lastEventId: string | undefined;
  let hidden: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    ended = new AbortController();
    void follow({
      address: () => "/api/v1/events",
      headers: { "X-Organization": String(organization) },
      ...(lastEventId === undefined ? {} : { lastEventId }),
      signal: ended.signal,
      onEvent: ({ id, name, data }) => {
        lastEventId = id ?? lastEventId;
        listener.onEvent(name, data);
      },
      onGap: () => listener.onEvent("events.missed", {}),
      onConnection: listener.onConnection,
      onRefused: ({ status }) => listener.onRefused(status),
    });
  };
  const onVisibility = () => {
    clearTimeout(hidden);
    if (document.hidden) hidden = setTimeout(() => ended.abort(), hiddenForMs);
    else if (ended.signal.aborted) open();
  };
  open();
  document.addEventListener("visibilitychange", onVisibility);
  return () => {
    clearTimeout(hidden);
    document.removeEventListener("visibilitychange", onVisibility);
    ended.abort();
  };
}
