import type { Pool } from "../../../db/pool.ts";
import { transaction } from "../../../db/transaction.ts";
import { type FirstVerdict, recordFirstVerdicts } from "../verdicts/record-batch.ts";

/**
 * Records that pending monitors are up, many in one transaction: after an import or a restart thousands have their first check
 * within seconds. Verdicts that arrive during a transaction are in the next.
 */
export class FirstVerdicts {
  private readonly pool: Pool;
  private waiting: FirstVerdict[] = [];
  private next: Promise<Set<number>> | undefined;
  private current: Promise<unknown> = Promise.resolve();

  constructor(pool: Pool) {
    this.pool = pool;
  }

  /** False when it was outdated. */
  async record(verdict: FirstVerdict): Promise<boolean> {
    this.waiting.push(verdict);
    this.next ??= this.current.then(
      () => this.write(),
      () => this.write(),
    );
    return (await this.next).has(verdict.watched.id);
  }

  private write(): Promise<Set<number>> {
    const verdicts = this.waiting;
    [this.waiting, this.next] = [[], undefined];
    const written = transaction(this.pool, (tx) => recordFirstVerdicts(tx, verdicts));
    this.current = written;
    return written;
  }
}
