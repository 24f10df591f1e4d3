import { setTimeout as pause } from "node:timers/promises";
import { messageOf } from "../../lib/errors.ts";
import type { Logger } from "../../lib/log.ts";
import type { Listener } from "../listener.ts";
import { type ClaimedJob, heartbeatIntervalMs, jobsChannel, type Queue, type QueueDefinition } from "./queue.ts";

/**
 * What the jobs of a queue do. A handler may run again after a crash at any line: it continues from the state in the database.
 * When `signal` aborts, the process is stopping: the handler returns as soon as it can and the job is returned to the queue.
 */
export interface JobHandler extends QueueDefinition {
  /** Maximum number at once in this process. */
  concurrency: number;
  work: (data: Record<string, unknown>, signal: AbortSignal) => Promise<void>;
}

// Notifications wake the worker at once; a lost one, or a retry that became due, waits this long.
const pollMs = 2_000;
const giveBackMs = 500;
const claimedAtOnce = 128;

/** Claims jobs and works on many at once: a job spends most of its time waiting for a server. */
export class Worker {
  private readonly queue: Queue;
  private readonly log: Logger;
  private readonly handlers: Map<string, JobHandler>;
  private readonly active = new Map<ClaimedJob, Promise<void>>();
  private readonly stopping = new AbortController();
  private timers: NodeJS.Timeout[] = [];
  private readonly claiming = new Map<string, { again: boolean }>();

  constructor(queue: Queue, handlers: readonly JobHandler[], log: Logger) {
    this.queue = queue;
    this.log = log;
    this.handlers = new Map(handlers.map((handler) => [handler.name, handler]));
  }

  async start(listener: Listener): Promise<void> {
    await listener.listen(jobsChannel, (name) => this.wake(name));
    this.timers = [setInterval(() => this.wake(""), pollMs), setInterval(() => void this.beat(), heartbeatIntervalMs)];
    this.wake("");
  }

  /** Stops claiming, asks handlers to return, and returns unfinished jobs to the queue. */
  async stop(): Promise<void> {
    this.stopping.abort();
    for (const timer of this.timers) clearInterval(timer);
    await Promise.all(this.active.values());
  }

  private wake(name: string): void {
    if (name) void this.claim(name);
    else void this.claimAll();
  }

  // One after the other: for this an idle process keeps one connection.
  private async claimAll(): Promise<void> {
    for (const name of this.handlers.keys()) await this.claim(name);
  }

  // One claim per queue at a time; a notification during the claim causes another one.
  private async claim(name: string): Promise<void> {
    const handler = this.handlers.get(name);
    if (!handler || this.stopping.signal.aborted) return;
    const claiming = this.claiming.get(name);
    if (claiming) {
      claiming.again = true;
      return;
    }
    const state = { again: true };
    this.claiming.set(name, state);
    try {
      while (state.again && !this.stopping.signal.aborted) {
        state.again = false;
        const room = handler.concurrency - this.activeOf(name);
        if (room <= 0) return;
        const wanted = Math.min(room, claimedAtOnce);
        const jobs = await this.queue.claim(name, wanted);
        for (const job of jobs) this.begin(handler, job);
        if (jobs.length === wanted) state.again = true;
      }
    } catch (error) {
      this.log.warn(`Jobs of ${name} cannot be claimed: ${messageOf(error)}`);
    } finally {
      this.claiming.delete(name);
    }
  }

  private activeOf(name: string): number {
    let count = 0;
    for (const job of this.active.keys()) if (job.name === name) count++;
    return count;
  }

  private begin(handler: JobHandler, job: ClaimedJob): void {
    const attempt = this.attempt(handler, job).finally(() => {
      const wasFull = this.activeOf(handler.name) >= handler.concurrency;
      this.active.delete(job);
      if (wasFull) void this.claim(handler.name);
    });
    this.active.set(job, attempt);
  }

  private async attempt(handler: JobHandler, job: ClaimedJob): Promise<void> {
    const { signal } = this.stopping;
    try {
      await handler.work(job.data, signal);
      if (signal.aborted) await this.queue.fail(job, "the process stopped");
      else await this.queue.complete(job);
    } catch (error) {
      if (!signal.aborted) this.log.warn({ job: job.name, data: job.data, err: error }, "a job failed and is retried");
      await this.giveBack(job, messageOf(error));
    }
  }

  // While the database is down nothing can be returned to the queue. The worker repeats this until it succeeds: a job
  // whose heartbeat has to expire first comes back much later.
  private async giveBack(job: ClaimedJob, reason: string): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.queue.fail(job, reason);
      } catch (error) {
        if (tries === 1) this.log.warn(`A job cannot be given back yet: ${messageOf(error)}`);
        if (this.stopping.signal.aborted) return;
        await pause(giveBackMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      }
    }
  }

  private async beat(): Promise<void> {
    const jobs = [...this.active.keys()];
    if (jobs.length === 0) return;
    await this.queue.touch(jobs).catch((error: unknown) => this.log.warn(`Heartbeat failed: ${messageOf(error)}`));
  }
}
