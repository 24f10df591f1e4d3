import { setTimeout as pause } from "node:timers/promises";
import { exitStatus, Failure } from "../failure.ts";
import { duration } from "../output/times.ts";

const silentMs = 10_000;
const giveUpMs = 15 * 60_000;
const longestPauseMs = 15_000;

export interface ContactOptions {
  url: string;
  note: (line: string) => void;
  /** How to look again after it was given up. */
  howToContinue: string;
  /** Milliseconds after which the outcome counts as unknown, contact or not. */
  timeoutMs?: number | undefined;
  /** For tests. */
  now?: () => number;
  wait?: (ms: number, signal: AbortSignal | undefined) => Promise<unknown>;
}

/**
 * The connection to an installation, while something there is followed that does not need it. Each loss is followed by a pause that
 * grows to 15 s; a line reports a loss that lasts for 10 s; after 15 minutes the outcome is unknown.
 */
export class Contact {
  private readonly options: ContactOptions;
  private readonly now: () => number;
  private readonly beganAt: number;
  private madeAt: number;
  private losses = 0;
  private isReported = false;

  constructor(options: ContactOptions) {
    this.options = options;
    this.now = options.now ?? (() => performance.now());
    this.beganAt = this.now();
    this.madeAt = this.beganAt;
  }

  /** The installation answered. */
  made(): void {
    this.madeAt = this.now();
    if (this.isReported) this.options.note(`Connected to ${this.options.url} again.`);
    this.isReported = false;
  }

  /** Something arrived as it should: the next pause is short again. */
  works(): void {
    this.losses = 0;
  }

  /** Waits before the next attempt. Throws a `Failure` (7) when it is given up. */
  async lost(reason: string, signal?: AbortSignal): Promise<void> {
    const silentForMs = this.now() - this.madeAt;
    this.checkTime();
    if (silentForMs >= giveUpMs)
      throw this.unknown(`There was no contact with ${this.options.url} for 15 minutes (${reason}).`);
    if (silentForMs >= silentMs && !this.isReported) {
      this.isReported = true;
      this.options.note(`No contact with ${this.options.url} (${reason}). The work there continues; trying again …`);
    }
    const pauseMs = Math.min(500 * 2 ** this.losses++, longestPauseMs) * (0.75 + Math.random() / 2);
    await (this.options.wait ?? rest)(Math.min(pauseMs, Math.max(this.leftMs, 1)), signal);
    this.checkTime();
  }

  /** Milliseconds until `--timeout`; infinite without one. */
  get leftMs(): number {
    const { timeoutMs } = this.options;
    return timeoutMs === undefined ? Number.POSITIVE_INFINITY : this.beganAt + timeoutMs - this.now();
  }

  /** Throws a `Failure` (7) when the time of `--timeout` is over. */
  checkTime(): void {
    if (this.leftMs <= 0) throw this.unknown(`It has not ended within ${duration(this.options.timeoutMs ?? 0)}.`);
  }

  unknown(reason: string): Failure {
    return new Failure(exitStatus.unknown, `${reason} ${this.options.howToContinue}`);
  }
}

const rest = (ms: number, signal: AbortSignal | undefined): Promise<unknown> =>
  pause(ms, undefined, signal ? { signal } : {});
