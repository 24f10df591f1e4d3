import { Gauge, Registry } from "prom-client";

/** Metrics of the parts of this process other than requests; each part registers its own here. */
export const processMetrics = new Registry();

/** How many records are in which state, read from the database whenever Prometheus scrapes. */
export interface Counts {
  name: string;
  help: string;
  /** A row for each combination of labels; all columns but `count` are labels. */
  read: () => Promise<readonly CountRow[]>;
  labels: readonly string[];
}

export type CountRow = Record<string, string | number> & { count: number };

/** Adds counts to those of this process; a count with the same name replaces the former. */
export function addCounts({ name, help, labels, read }: Counts): void {
  processMetrics.removeSingleMetric(name);
  new Gauge({
    name,
    help,
    labelNames: [...labels],
    registers: [processMetrics],
    async collect() {
      const found = await read();
      this.reset();
      for (const { count, ...values } of found) this.set(values, count);
    },
  });
}
