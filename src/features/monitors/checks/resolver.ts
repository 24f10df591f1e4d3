import { Resolver } from "node:dns/promises";

export interface Resolved {
  addresses: readonly string[];
  /** Why there are none. */
  failure?: "missing" | "failed";
}

export interface ResolverOptions {
  /** Default, if empty: the servers of the system. */
  servers: readonly string[];
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
}

const shortestSeconds = 5;
const longestSeconds = 300;
const negativeSeconds = 5;
const mostNames = 20_000;

interface Entry {
  answer: Promise<Resolved>;
  /** Infinity while the query is open. */
  expiresAt: number;
}

const missing = new Set(["ENOTFOUND", "ENODATA"]);

/**
 * Resolves names over the DNS without a thread per query, and caches the answers for their time to live, 5 to 300 seconds;
 * failures for 5. Simultaneous queries for a name are merged.
 */
export class CachedResolver {
  private readonly resolver: Resolver;
  private readonly entries = new Map<string, Entry>();
  private readonly now: () => number;

  constructor({ servers, now = () => performance.now() }: ResolverOptions) {
    this.resolver = new Resolver({ timeout: 2_000, tries: 3 });
    if (servers.length > 0) this.resolver.setServers([...servers]);
    this.now = now;
  }

  /** Never rejects. */
  resolve(name: string): Promise<Resolved> {
    const known = this.entries.get(name);
    if (known && known.expiresAt > this.now()) return known.answer;
    const entry: Entry = { answer: Promise.resolve({ addresses: [] }), expiresAt: Number.POSITIVE_INFINITY };
    entry.answer = this.ask(name).then(({ seconds, ...answer }) => {
      entry.expiresAt = this.now() + seconds * 1_000;
      return answer;
    });
    // The newest last: the oldest is dropped first.
    this.entries.delete(name);
    this.entries.set(name, entry);
    if (this.entries.size > mostNames) this.entries.delete(this.entries.keys().next().value as string);
    return entry.answer;
  }

  private async ask(name: string): Promise<Resolved & { seconds: number }> {
    const answers = await Promise.allSettled([
      this.resolver.resolve4(name, { ttl: true }),
      this.resolver.resolve6(name, { ttl: true }),
    ]);
    const records = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    const codes = answers.map((answer) =>
      answer.status === "rejected" ? String((answer.reason as { code?: unknown }).code ?? "") : "",
    );
    if (records.length === 0) {
      const failure = codes.every((code) => missing.has(code)) ? "missing" : "failed";
      return { addresses: [], failure, seconds: negativeSeconds };
    }
    const ttl = Math.min(...records.map((record) => record.ttl));
    // An incomplete answer is not cached for long.
    const isWhole = codes.every((code) => code === "" || missing.has(code));
    const seconds = isWhole ? Math.min(Math.max(ttl, shortestSeconds), longestSeconds) : negativeSeconds;
    return { addresses: records.map(({ address }) => address), seconds };
  }
}
