import type { Benchmark, Result, Session } from "./benchmark.ts";
import { measureDatabases } from "./databases.ts";

/** What is measured of databases and of the applications that use them. */
const parts: readonly ((session: Session) => Promise<Result>)[] = [measureDatabases];

export const appsBenchmark: Benchmark = {
  name: "apps",
  what: "databases: from the request until the list shows that one exists, and 100 requested at once",
  comparedTo: "the same SQL over an SSH connection that is kept",
  async run(session) {
    const results: Result[] = [];
    for (const part of parts) results.push(await part(session));
    return {
      measurements: results.flatMap(({ measurements }) => measurements),
      failures: results.flatMap(({ failures }) => failures),
    };
  },
};
