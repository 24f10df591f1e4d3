import { createParser, type EventSourceMessage } from "eventsource-parser";
import { NoAnswer, refusal, type Session } from "../session.ts";

/** Three times the pause between two signs of life. */
const deadMs = 45_000;

export interface StreamOptions {
  /** With its query. */
  path: string;
  /** Continues after this event. */
  lastEventId: string | undefined;
  onEvent: (event: EventSourceMessage) => void;
  /** The installation answered, or sent anything. */
  onContact: () => void;
  /** Ends the reading, which then resolves. */
  signal: AbortSignal;
}

/**
 * Reads server-sent events until the stream ends. Throws `NoAnswer` when the connection breaks or is silent for too long, and a
 * `Failure` when the installation refuses. An event that arrived in part is never passed on.
 */
export async function readStream(
  session: Session,
  { path, lastEventId, onEvent, onContact, signal }: StreamOptions,
): Promise<void> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new Error("the connection was silent")), deadMs);
  const either = AbortSignal.any([signal, silence.signal]);
  const headers = {
    Accept: "text/event-stream",
    ...(lastEventId === undefined ? {} : { "Last-Event-ID": lastEventId }),
  };
  try {
    const response = await session.send(path, { headers, signal: either });
    onContact();
    if (!response.ok) throw refusal(response.status, await bodyOf(response), session.url, response.headers);
    const parser = createParser({ onEvent: (event) => signal.aborted || onEvent(event) });
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      timer.refresh();
      onContact();
      parser.feed(text);
    }
  } catch (error) {
    if (signal.aborted) return;
    throw silence.signal.aborted || error instanceof TypeError ? new NoAnswer(silence.signal.reason ?? error) : error;
  } finally {
    clearTimeout(timer);
  }
}

export const bodyOf = (response: Response): Promise<unknown> => response.json().catch(() => undefined);
