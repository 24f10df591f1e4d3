import type { Db } from "../../db/sql.ts";

/** Work that is due at some time, in one of three forms. */
export type Schedule = PeriodicTask | DueRows | Sharded;

/**
 * Runs at an interval, in one process of the installation at a time; it never overlaps itself, and a failure is logged and does
 * not end it. It may be interrupted at any line and is then run again by another process.
 */
export interface PeriodicTask {
  /** Unique; `[a-z0-9-]+`. */
  name: string;
  everyMs: number;
  /** `signal` aborts when the process stops or lost its lease. */
  work: (signal: AbortSignal) => Promise<void>;
}

/** Rows that become due, each processed by one process. */
export interface DueRows<Row = unknown> {
  name: string;
  /** How often a process looks for due rows. */
  everyMs: number;
  /** The maximum number of rows in one claim. */
  batch: number;
  /** The maximum number of rows at once in a process. */
  concurrency: number;
  /**
   * Claims up to `limit` due rows in one statement (`for update skip locked`) that also moves their due time or lease on: a row
   * that is not processed, because the process died, becomes due again at that time.
   */
  claim(db: Db, limit: number): Promise<Row[]>;
  /** A failure is logged and affects this row alone. */
  work(row: Row, signal: AbortSignal): Promise<void>;
}

/**
 * Work that is kept in memory and divided among the processes by leases. When a process dies, others hold its shards within 15
 * seconds.
 */
export interface Sharded {
  name: string;
  shards: number;
  /** Runs as long as this process holds the shard, and returns soon after `signal` aborted. Restarted when it fails. */
  hold: (shard: number, signal: AbortSignal) => Promise<void>;
}

/** Runs one schedule in this process. */
export interface Runner {
  start: () => Promise<void>;
  /** Resolves when none of its work is in progress, and others can continue. */
  stop: () => Promise<void>;
}
