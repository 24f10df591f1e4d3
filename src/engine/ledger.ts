import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import { messageOf } from "../lib/errors.ts";
import type { Logger } from "../lib/log.ts";
import type { RunKinds } from "./runs.ts";
import { isPlain, type News, storeNews, storeTogether } from "./store.ts";

export interface LedgerContext {
  pool: Pool;
  log: Logger;
  kinds: RunKinds;
}

interface Waiting {
  news: News;
  resolve: () => void;
  reject: (error: unknown) => void;
}

// Memory, and how long one transaction takes.
const mostTogether = 100;
const smallBytes = 32 * 1024;
// Transactions that notify commit one after the other (NOTIFY), and each waits for the disk: the more runs report
// something at once, the longer what comes next is collected, so that ends and beginnings find the way free.
const collectMsForEach = 3;
const longestCollectMs = 50;

/** Stores the news of all runs that this process follows: news that arrives during a transaction goes into the next. */
export class Ledger {
  private readonly ctx: LedgerContext;
  private readonly waiting = new Map<number, Waiting>();
  private isStoring = false;

  constructor(ctx: LedgerContext) {
    this.ctx = ctx;
  }

  /** Resolves when the news are stored. Rejects when another follower stored them, or they cannot be stored. */
  store(news: News): Promise<void> {
    const { run, piece } = news;
    const isSmall = piece.to - piece.from < smallBytes;
    if (!isPlain(news) || !isSmall || this.waiting.has(run.id)) return storeNews(this.ctx, news);
    return new Promise((resolve, reject) => {
      this.waiting.set(run.id, { news, resolve, reject });
      if (!this.isStoring) void this.storeAll();
    });
  }

  private async storeAll(): Promise<void> {
    this.isStoring = true;
    while (this.waiting.size > 0) {
      const batch = [...this.waiting.values()].slice(0, mostTogether);
      for (const { news } of batch) this.waiting.delete(news.run.id);
      await this.storeBatch(batch);
      await pause(Math.min(batch.length * collectMsForEach, longestCollectMs));
    }
    this.isStoring = false;
  }

  // A caller that was left out is attempted alone to learn why; so is each caller when one of them makes the batch fail.
  private async storeBatch(batch: readonly Waiting[]): Promise<void> {
    const stored = await storeTogether(
      this.ctx,
      batch.map(({ news }) => news),
    ).catch((error: unknown): ReadonlySet<News> => {
      this.ctx.log.debug(`News of ${batch.length} runs cannot be stored together: ${messageOf(error)}`);
      return new Set();
    });
    for (const { news, resolve, reject } of batch) {
      if (stored.has(news)) resolve();
      else storeNews(this.ctx, news).then(resolve, reject);
    }
  }
}
