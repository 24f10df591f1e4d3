import { setTimeout as pause } from "node:timers/promises";
import { messageOf } from "../../lib/errors.ts";
import type { Logger } from "../../lib/log.ts";

interface Tick {
  name: string;
  everyMs: number;
  log: Logger;
  work: (signal: AbortSignal) => Promise<void>;
}

/** Repeats `work` until stopped, with a pause of `everyMs` (10 % more or less) after each round; a failure is logged. */
export class Ticker {
  private readonly stopping = new AbortController();
  private readonly tick: Tick;
  private looping: Promise<void> | undefined;

  constructor(tick: Tick) {
    this.tick = tick;
  }

  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  start(): void {
    this.looping = this.loop();
  }

  /** Resolves when the current round has ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.looping;
  }

  private async loop(): Promise<void> {
    const { name, everyMs, log, work } = this.tick;
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await work(signal).catch((error: unknown) => {
        if (!signal.aborted) log.warn(`The schedule ${name} failed: ${messageOf(error)}`);
      });
      await pause(everyMs * (0.9 + 0.2 * Math.random()), undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
