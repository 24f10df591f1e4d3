import type { IncomingMessage } from "node:http";

/** A longer page stays HTML: its conversion would take too long. */
const longestPage = 2 * 1024 * 1024;
/** Of all pages that are read at once; what goes beyond stays HTML. */
const mostBytes = 64 * 1024 * 1024;
const mostPages = 128;
const mostPagesOfSite = 4;

/** The pages that are read at once, with their bytes in memory: limited for each site and for all of them. */
export class PageLimits {
  private readonly pages = new Map<string, number>();
  private total = 0;
  private bytes = 0;

  /** Reads a page; throws when there are too many. */
  async within<Result>(site: string, work: (read: Read) => Promise<Result>): Promise<Result> {
    const ofSite = this.pages.get(site) ?? 0;
    if (ofSite >= mostPagesOfSite || this.total >= mostPages) throw new Error("Too many pages are read at once");
    this.pages.set(site, ofSite + 1);
    this.total++;
    let bytes = 0;
    const take = (length: number): boolean => {
      bytes += length;
      this.bytes += length;
      return bytes <= longestPage && this.bytes <= mostBytes;
    };
    try {
      return await work((page, timeoutMs) => beginningOf(page, { take, timeoutMs }));
    } finally {
      const left = (this.pages.get(site) ?? 1) - 1;
      if (left > 0) this.pages.set(site, left);
      else this.pages.delete(site);
      this.total--;
      this.bytes -= bytes;
    }
  }
}

/** The whole page, or what came of it until it was too long or too slow. Fails when it breaks off. */
type Read = (page: IncomingMessage, timeoutMs: number) => Promise<{ begun: Buffer; isWhole: boolean }>;

function beginningOf(
  page: IncomingMessage,
  { take, timeoutMs }: { take: (length: number) => boolean; timeoutMs: number },
): Promise<{ begun: Buffer; isWhole: boolean }> {
  const parts: Buffer[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<{ begun: Buffer; isWhole: boolean }>();
  const stop = (isWhole: boolean): void => {
    page.pause().off("data", receive);
    resolve({ begun: Buffer.concat(parts), isWhole });
  };
  const receive = (part: Buffer): void => {
    parts.push(part);
    if (!take(part.length)) stop(false);
  };
  const timer = setTimeout(stop, Math.max(0, timeoutMs), false);
  page.on("data", receive);
  page.once("end", () => stop(true));
  page.once("error", reject);
  return promise.finally(() => clearTimeout(timer));
}
