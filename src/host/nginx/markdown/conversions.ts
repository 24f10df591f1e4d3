import { Worker } from "node:worker_threads";

/** For one page. Longer ones are meant to stop others, or are no text. */
const conversionMs = 2_000;
/** How long a page waits for a thread, and for an earlier page of its site. */
const waitMs = 2_000;
/** After a page that could not be converted in time or in its memory, the site's pages stay as they are. */
const pauseMs = 10_000;
const mostThreads = 3;
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 };

interface Page {
  site: string;
  html: string;
  /** Undefined: the page stays as it is. */
  settle: (markdown: string | undefined) => void;
}

/**
 * Converts pages in threads, which end with a page that takes too long: one page of a site at a time, so that no site stops the
 * pages of another.
 */
export class Conversions {
  private readonly waiting = new Set<Page>();
  private readonly running = new Map<Worker, Page & { limit: NodeJS.Timeout }>();
  private readonly ready: Worker[] = [];
  private readonly threads = new Set<Worker>();
  private isClosed = false;
  private readonly pausedUntil = new Map<string, number>();

  /** Starts a thread before there is a page for it: it needs the time in which the first page is requested. */
  prepare(): void {
    if (this.threads.size === 0) this.startThread();
  }

  /** Undefined: the page cannot be converted, or not soon. */
  convert(site: string, html: string): Promise<string | undefined> {
    if (performance.now() < (this.pausedUntil.get(site) ?? 0)) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const timer = setTimeout(() => {
      if (this.waiting.delete(page)) resolve(undefined);
    }, waitMs);
    const page = { site, html, settle: resolve };
    this.waiting.add(page);
    this.startNext();
    return promise.finally(() => clearTimeout(timer));
  }

  close(): void {
    this.isClosed = true;
    for (const thread of this.threads) void thread.terminate();
  }

  private startNext(): void {
    const busy = new Set([...this.running.values()].map(({ site }) => site));
    const page = this.waiting.values().find(({ site }) => !busy.has(site));
    if (!page) return;
    const thread = this.ready.pop();
    if (!thread) {
      if (this.threads.size < mostThreads && !this.isClosed) this.startThread();
      return;
    }
    this.waiting.delete(page);
    this.run(thread, page);
    this.startNext();
  }

  private run(thread: Worker, page: Page): void {
    // Its end settles the page.
    const limit = setTimeout(() => void thread.terminate(), conversionMs);
    this.running.set(thread, { ...page, limit });
    thread.once("message", ({ markdown }: { markdown: string | null }) => {
      clearTimeout(limit);
      this.running.delete(thread);
      this.ready.push(thread);
      page.settle(markdown ?? undefined);
      this.startNext();
    });
    thread.postMessage(page.html);
  }

  private startThread(): void {
    const thread = new Worker(new URL("thread.ts", import.meta.url), { resourceLimits });
    this.threads.add(thread);
    thread.once("message", () => {
      // It ran out of memory; its exit follows. An error before this ends the process, as an incomplete installation does.
      thread.on("error", () => undefined);
      this.ready.push(thread);
      this.startNext();
    });
    thread.once("exit", () => {
      this.threads.delete(thread);
      const page = this.running.get(thread);
      this.running.delete(thread);
      if (this.ready.includes(thread)) this.ready.splice(this.ready.indexOf(thread), 1);
      if (page) {
        clearTimeout(page.limit);
        this.pausedUntil.set(page.site, performance.now() + pauseMs);
        page.settle(undefined);
      }
      this.startNext();
    });
  }
}
