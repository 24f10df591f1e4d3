import { hearBell } from "../host/runner.ts";
import type { Connection } from "../host/ssh.ts";

/** One bell channel for each connection, shared by all runs that are followed over it. */
const towers = new WeakMap<Connection, Promise<Map<number, () => void>>>();

/** Something that can be waited for again and again: rung since it was last armed, a wait returns at once. */
export interface Bell {
  /** Before the look that answers what has rung so far. */
  arm: () => void;
  /** Resolves at a ring, the end of the connection, or after `timeoutMs`. */
  wait: (timeoutMs: number, signal: AbortSignal) => Promise<void>;
  remove: () => void;
}

/** A bell that rings whenever the run writes to its journal. */
export async function bellOf(connection: Connection, runId: number): Promise<Bell> {
  let rung = false;
  let wake: (() => void) | undefined;
  const ring = () => {
    rung = true;
    wake?.();
  };
  const ropes = await towerOf(connection);
  ropes.set(runId, ring);
  const forgetClose = connection.onClose(ring);
  const wait = (timeoutMs: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        wake = undefined;
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      signal.addEventListener("abort", done);
      wake = done;
      if (rung || signal.aborted) done();
    });
  const remove = () => {
    ropes.delete(runId);
    forgetClose();
  };
  const arm = () => {
    rung = false;
  };
  return { arm, wait, remove };
}

function towerOf(connection: Connection): Promise<Map<number, () => void>> {
  const known = towers.get(connection);
  if (known) return known;
  const ropes = new Map<number, () => void>();
  const tower = hearBell(connection, (runId) => ropes.get(runId)?.()).then(() => ropes);
  towers.set(connection, tower);
  return tower;
}
