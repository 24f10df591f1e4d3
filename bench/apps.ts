import type { Benchmark, Result, Session } from "./benchmark.ts";
import { measureDatabases } from "./databases.ts";
import { measureWordPress } from "./wordpress.ts";

/** The benchmarks of databases and of the applications that use them. */
const parts: readonly ((session: Session) => Promise<Result>)[] = [measureDatabases, measureWordPress];

export const appsBenchmark: Benchmark = {
  name: "apps",
  what: "databases from the request until they exist, WordPress until its page is served, and what an update costs visitors",
  comparedTo:
    "the same SQL over an SSH connection that is kept, the least control plane around it, and a bare script with the same downloads",
  async run(session) {
    const results: Result[] = [];
    for (const part of parts) results.push(await part(session));
    const table = results.find((result) => result.table)?.table;
    return {
      ...(table && { table }),
      measurements: results.flatMap(({ measurements }) => measurements),
      failures: results.flatMap(({ failures }) => failures),
    };
  },
};
