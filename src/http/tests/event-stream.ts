import type { TestContext } from "node:test";
import { pollUntil } from "../../lib/clock.ts";

export interface SentEvent {
  id: string | undefined;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of every shape
  data: any;
}

/** A stream of server-sent events that a client reads. */
export interface Followed {
  status: number;
  events: SentEvent[];
  comments: string[];
  hasEnded: () => boolean;
  /** The data of the events of a name. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of every shape
  all: (name: string) => any[];
  /** Resolves when the condition holds; throws with what was received if it does not within half a minute. */
  until: (isSo: () => boolean) => Promise<void>;
  ended: () => Promise<void>;
  stop: () => void;
}

/** Opens a stream; it is closed with the test. */
export async function followEvents(
  t: TestContext,
  address: string,
  { token, lastEventId }: { token: string; lastEventId?: string | number },
): Promise<Followed> {
  const stopping = new AbortController();
  t.after(() => stopping.abort());
  const headers = {
    authorization: `Bearer ${token}`,
    ...(lastEventId === undefined ? {} : { "last-event-id": String(lastEventId) }),
  };
  const response = await fetch(address, { headers, signal: stopping.signal });
  const events: SentEvent[] = [];
  const comments: string[] = [];
  let hasEnded = false;
  const until = async (isSo: () => boolean) => {
    if (await pollUntil(isSo, { timeoutMs: 30_000, everyMs: 5 })) return;
    throw new Error(`It did not come about: ${JSON.stringify(events).slice(0, 4_000)}`);
  };
  void read(response, events, comments).finally(() => {
    hasEnded = true;
  });
  return {
    status: response.status,
    events,
    comments,
    hasEnded: () => hasEnded,
    all: (name) => events.filter(({ event }) => event === name).map(({ data }) => data),
    until,
    ended: () => until(() => hasEnded),
    stop: () => stopping.abort(),
  };
}

async function read(response: Response, events: SentEvent[], comments: string[]): Promise<void> {
  let text = "";
  try {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = (text + chunk).split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const fields = new Map(block.split("\n").map((line) => line.split(/: ?(.*)/s).slice(0, 2) as [string, string]));
        const data = fields.get("data");
        if (fields.has("")) comments.push(fields.get("") ?? "");
        if (data !== undefined)
          events.push({ id: fields.get("id"), event: fields.get("event") ?? "", data: JSON.parse(data) });
      }
    }
  } catch {
    // The test is over.
  }
}
