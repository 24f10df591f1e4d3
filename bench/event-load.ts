import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openPool } from "../src/db/pool.ts";
import { transaction } from "../src/db/transaction.ts";
import { emitEvent, placeEventsOf } from "../src/engine/events.ts";
import type { Platform } from "../stage/fixture.ts";

export interface EventLoad {
  perSecond: number;
  /** How long each transaction took. */
  commitMs: number[];
  /** From the commit of each event until the client had it. */
  receivedMs: number[];
  /** Events that the client did not get. */
  missing: number;
}

const name = "benchmark.written";

/** Commits this many transactions a second with an event each, as another process of the platform would, until it is stopped. */
export async function startEventLoad(platform: Platform, perSecond: number): Promise<{ stop(): Promise<EventLoad> }> {
  const { url } = JSON.parse(await readFile(join(platform.dataDirectory, "lock"), "utf8")) as { url: string };
  const pool = openPool(url, { max: 20, applicationName: "longshore bench" });
  placeEventsOf(pool, { warn: (message: unknown) => process.stderr.write(`${message}\n`) });
  const client = await followEvents(platform);
  const committedAt = new Map<number, number>();
  const commitMs: number[] = [];
  const writing = new Set<Promise<void>>();
  const write = async (id: number): Promise<void> => {
    const began = performance.now();
    await transaction(pool, (tx) => emitEvent(tx, { organizationId: platform.organizationId, name, data: { id } }));
    committedAt.set(id, performance.now());
    commitMs.push(performance.now() - began);
  };
  const began = performance.now();
  let isStopped = false;
  const pacing = (async () => {
    for (let id = 0; !isStopped; ) {
      for (const due = ((performance.now() - began) / 1_000) * perSecond; id < due; id++) {
        const work: Promise<void> = write(id).finally(() => writing.delete(work));
        writing.add(work);
      }
      await pause(2);
    }
  })();
  const stop = async (): Promise<EventLoad> => {
    isStopped = true;
    await pacing;
    await Promise.all(writing);
    const seconds = (performance.now() - began) / 1_000;
    await client.received(committedAt.size);
    await pool.end();
    const receivedMs = [...committedAt].flatMap(([id, at]) => {
      const seen = client.seenAt.get(id);
      return seen === undefined ? [] : [Math.max(0, seen - at)];
    });
    return {
      perSecond: commitMs.length / seconds,
      commitMs,
      receivedMs,
      missing: committedAt.size - receivedMs.length,
    };
  };
  return { stop };
}

/** A client of the event stream that records when it received each of our events. */
async function followEvents({ client }: Platform) {
  const ended = new AbortController();
  const events = await client("GET /api/v1/events", { signal: ended.signal });
  const seenAt = new Map<number, number>();
  const reading = (async () => {
    let text = "";
    for await (const chunk of events.pipeThrough(new TextDecoderStream())) {
      const blocks = (text + chunk).split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        if (!block.includes(`event: ${name}`)) continue;
        const data = /^data: (.*)$/m.exec(block)?.[1] ?? "{}";
        seenAt.set((JSON.parse(data) as { id: number }).id, performance.now());
      }
    }
  })().catch(() => undefined);
  /** Waits for this many, at most ten seconds. */
  const received = async (count: number): Promise<void> => {
    for (let tries = 0; seenAt.size < count && tries < 100; tries++) await pause(100);
    ended.abort();
    await reading;
  };
  return { seenAt, received };
}
