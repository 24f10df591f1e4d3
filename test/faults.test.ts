import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { rows } from "../tools/faults.ts";
import { kinds } from "./e2e/matrix/kinds.ts";
import { chosenFault, chosenPositions } from "./e2e/matrix/scope.ts";
import { endsOf, faultNames, faultTable, goOnFaults, serverKinds, setupSample } from "./e2e/matrix/table.ts";

const root = join(import.meta.dirname, "..");

describe("the table of faults", () => {
  it("names test files that there are", () => {
    const missing = faultNames.filter((name) => !existsSync(join(root, faultTable[name].proof)));
    assert.deepEqual(missing, []);
  });

  it("has every step of every kind of plan once", () => {
    const named = rows.map(({ plan, step }) => `${plan}: ${step}`);
    const wanted = [...kinds, ...Object.values(serverKinds)].flatMap(({ name, steps }) =>
      steps.map((step) => `${name}: ${step}`),
    );
    assert.ok(wanted.length > 250);
    assert.deepEqual(named, wanted);
    assert.equal(new Set(named).size, named.length);
  });

  it("shows nothing that the tests would not accept", () => {
    const states = {
      "goes on": "succeeded",
      "put back": "failed",
      stops: "failed",
      fails: "failed",
      cancelled: "cancelled",
    };
    for (const kind of kinds) {
      for (const [position, step] of kind.steps.entries()) {
        const row = rows.find((each) => each.plan === kind.name && each.step === step);
        for (const [at, fault] of faultNames.entries()) {
          const ends = row?.cells[at]?.outcomes.map((outcome) => states[outcome]) ?? [];
          const unexpected = ends.filter((state) => !endsOf(kind, position, fault).includes(state));
          assert.deepEqual(unexpected, [], `${kind.name}, ${step}: ${fault}`);
        }
      }
    }
  });
});

describe("the choice of what is tried each time", () => {
  it("has steps of each kind of plan, always the same for a seed", () => {
    for (const kind of kinds) {
      const chosen = chosenPositions(kind, "reboot");
      assert.equal(chosen.length, Math.min(2, kind.steps.length), kind.name);
      assert.deepEqual(chosenPositions(kind, "reboot"), chosen);
      assert.ok(
        chosen.every((position) => kind.steps[position] !== undefined),
        kind.name,
      );
    }
  });

  it("differs from seed to seed, and has each step in the end", () => {
    const kind = kinds.find(({ name }) => name === "deployment, node") ?? assert.fail();
    const seeds = Array.from({ length: 100 }, (_, seed) => String(seed));
    const chosen = new Set(seeds.flatMap((seed) => chosenPositions(kind, "disk", seed)));
    assert.equal(chosen.size, kind.steps.length);
    assert.deepEqual(new Set(seeds.map((seed) => chosenFault(0, seed))), new Set(goOnFaults));
  });

  it("has each fault that a run survives by turns", () => {
    assert.deepEqual(new Set([3, 4, 5].map((position) => chosenFault(position))), new Set(goOnFaults));
  });

  it("names steps of the setup that there are", () => {
    assert.deepEqual(
      setupSample.filter(({ position }) => serverKinds.setup.steps[position] === undefined),
      [],
    );
  });
});
