import { createHash } from "node:crypto";
import type { Kind } from "./kinds.ts";
import { type FaultName, goOnFaults } from "./table.ts";

// With FAULT_MATRIX=complete each fault strikes at each step and at both moments, for more than an hour; otherwise a choice that
// takes minutes. The same seed makes the same choice, so that a failure can be reproduced.

export const complete = process.env.FAULT_MATRIX === "complete";

export const seed = process.env.FAULT_MATRIX_SEED || "1";

/** How many steps of each kind of plan are struck by a reboot, and by a full disk, when not all of them are. */
const chosenSteps = 1;

/** A number between 0 and 1 that is always the same for the same words. */
const chance = (...words: readonly unknown[]): number =>
  createHash("sha256").update(words.join("\0")).digest().readUInt32BE() / 2 ** 32;

/** Which steps of a kind are struck, in order, when not all of them are. */
export function chosenPositions({ name, steps }: Kind, fault: FaultName, of = seed): number[] {
  const byChance = steps.map((_, position) => ({ position, rank: chance(of, name, fault, position) }));
  const chosen = byChance.sort((one, other) => one.rank - other.rank).slice(0, chosenSteps);
  return chosen.map(({ position }) => position).sort((one, other) => one - other);
}

/** Which of the faults that a run survives happens at a step, when not all of them do. */
export function chosenFault(position: number, of = seed): FaultName {
  const first = Math.floor(chance(of, "first") * goOnFaults.length);
  return goOnFaults[(first + position) % goOnFaults.length] as FaultName;
}

/** Which of two ways to alternate from step to step. */
export const chosenTurn = (of = seed): number => Math.floor(chance(of, "turn") * 2);

/** The first of the places that are struck, when it is each `every`-th. */
export const chosenStart = (every: number, of = seed): number => Math.floor(chance(of, "start") * every);
