import { EventSourceParserStream } from "eventsource-parser/stream";
import { ApiError } from "./errors.ts";

/** One event of a stream: its data is parsed JSON. */
export interface StreamEvent {
  id?: string;
  name: string;
  data: unknown;
}

export type Connection = "connecting" | "connected" | "lost";

export interface Followed {
  /** The address; called for each connection. */
  address: () => string;
  headers?: Record<string, string>;
  /** Where to resume: the id of the last event that was taken. */
  lastEventId?: string;
  onEvent: (event: StreamEvent) => void;
  onConnection?: (connection: Connection) => void;
  /** Connected again without a place to resume from: what happened in between is not known. */
  onGap?: () => void;
  /** True: the stream has ended for good, as the last event showed. */
  isOver?: () => boolean;
  /** It cannot be read now, and is asked for again. */
  onFailed?: (error: ApiError) => void;
  /** A refusal that waiting does not change, such as 401 or 404. */
  onRefused?: (error: ApiError) => void;
  signal: AbortSignal;
}

const waitsMs = [1000, 2000, 5000, 10_000];
/** The server sends a comment every 15 s; a connection that is silent for longer is dead. */
const silenceMs = 45_000;

/** Follows a stream of events until it is over or the signal aborts, resuming after each lost connection. */
export async function follow(stream: Followed): Promise<void> {
  let lastEventId = stream.lastEventId;
  let failures = 0;
  while (!stream.signal.aborted && !stream.isOver?.()) {
    stream.onConnection?.(failures === 0 ? "connecting" : "lost");
    try {
      for await (const event of readEvents(stream, lastEventId)) {
        if (event === "open") {
          if (failures > 0 && lastEventId === undefined) stream.onGap?.();
          failures = 0;
          stream.onConnection?.("connected");
          continue;
        }
        lastEventId = event.id ?? lastEventId;
        stream.onEvent(event);
      }
    } catch (error) {
      if (isFinal(error)) return stream.onRefused?.(error);
      if (error instanceof ApiError) stream.onFailed?.(error);
    }
    if (stream.signal.aborted || stream.isOver?.()) break;
    stream.onConnection?.("lost");
    await pause(waitsMs[Math.min(failures, waitsMs.length - 1)] ?? 0, stream.signal);
    failures += 1;
  }
}

const isFinal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && ![408, 425, 429].includes(error.status);

async function* readEvents(stream: Followed, lastEventId?: string): AsyncGenerator<StreamEvent | "open"> {
  const silence = new AbortController();
  const watch = silenceWatch(silence);
  try {
    const response = await fetch(stream.address(), {
      headers: {
        Accept: "text/event-stream",
        ...stream.headers,
        ...(lastEventId === undefined ? {} : { "Last-Event-ID": lastEventId }),
      },
      signal: AbortSignal.any([stream.signal, silence.signal]),
    });
    if (!response.ok || !response.body) {
      throw new ApiError(
        response.status,
        await response.json().catch(() => ({})),
        response.headers.get("X-Request-Id"),
      );
    }
    yield "open";
    const bytes = response.body.pipeThrough(watch.passThrough());
    const events = bytes.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>);
    const reader = events.pipeThrough(new EventSourceParserStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const { id, event: name = "message", data } = value;
      yield { ...(id === undefined ? {} : { id }), name, data: JSON.parse(data) };
    }
  } finally {
    watch.stop();
    silence.abort();
  }
}

function silenceWatch(silence: AbortController) {
  let timer = setTimeout(() => silence.abort(), silenceMs);
  return {
    stop: () => clearTimeout(timer),
    passThrough: () =>
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          clearTimeout(timer);
          timer = setTimeout(() => silence.abort(), silenceMs);
          controller.enqueue(chunk);
        },
      }),
  };
}

/** Ends early when the network is back, or the page is seen again after sleep. */
export function pause(waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const ended = new AbortController();
    const end = () => {
      clearTimeout(timer);
      ended.abort();
      resolve();
    };
    const timer = setTimeout(end, waitMs * (0.75 + Math.random() / 2));
    const options = { signal: ended.signal };
    signal.addEventListener("abort", end, options);
    globalThis.addEventListener("online", end, options);
    globalThis.document?.addEventListener("visibilitychange", end, options);
  });
}
