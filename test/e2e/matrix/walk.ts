import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { rebootServer } from "../../../sandbox/sandbox.ts";
import type { Place } from "../../../stage/support.ts";
import type { Faults } from "./faults.ts";
import type { Gate, Gates } from "./gates.ts";
import { fillDisk, freeDisk } from "./small-disk.ts";
import type { FaultName } from "./table.ts";

// Work of several runs and phases, as an order of a certificate or a move, that is struck at each of its gates. A fault may end
// it: then it begins again and is struck at the gates that it has not come to yet, until it succeeds.

export interface Journey {
  begin(): Promise<unknown>;
  /** Whether nothing of it is left to do. */
  isOver(): Promise<boolean>;
  /** Checks what visitors get while it is held. */
  look(gate: Gate): Promise<unknown>;
  /** Lets a fault happen, and the work pass the gate. */
  strike(gate: Gate, count: number): Promise<unknown>;
  /** Checks how it ended; resolves with whether it succeeded. */
  end(): Promise<boolean>;
}

/** Strikes at every n-th gate; `first` is the first one. */
export interface Strikes {
  every: number;
  first?: number;
}

export const everywhere: Strikes = { every: 1 };

export async function leadThrough(
  gates: Gates,
  journey: Journey,
  { every, first = 0 }: Strikes,
  t: TestContext,
): Promise<void> {
  const seen: string[] = [];
  const struck: string[] = [];
  let begun = 0;
  do {
    assert.ok(begun <= seen.length + 1, `it comes to no new step: ${seen.join(", ")}`);
    begun += 1;
    await journey.begin();
    for (let gate = await gates.next(journey.isOver); gate; gate = await gates.next(journey.isOver)) {
      await journey.look(gate);
      if (seen.length % every === first % every) {
        await journey.strike(gate, struck.length);
        struck.push(gate.name);
      } else await gates.pass(gate);
      seen.push(gate.name);
    }
  } while (!(await journey.end()));
  assert.ok(struck.length > 0, `there is nothing to strike at: ${seen.join(", ")}`);
  t.diagnostic(`${struck.length} strikes at ${seen.length} steps and phases, in ${begun} attempts`);
}

/** Lets a fault happen to the platform or a server while work waits at a gate, and the work pass in the middle of it. */
export async function strike(
  { faults, gates }: { faults: Faults; gates: Gates },
  fault: FaultName,
  place: Place,
  gate: Gate,
  whileCut = () => gates.passToEnd(gate),
): Promise<void> {
  if (fault === "control plane") await faults.killControlPlane(() => gates.passToEnd(gate));
  if (fault === "PostgreSQL") await faults.killPostgres(() => gates.pass(gate));
  if (fault === "network") await faults.cutNetwork(whileCut, place.server, gate.server === place);
  if (fault === "reboot") await rebootServer(place.server.name);
  if (fault === "disk") {
    await fillDisk(place);
    await gates.passToEnd(gate, { orAfterMs: 3_000 });
    await freeDisk(place);
  }
  await gates.pass(gate);
}
