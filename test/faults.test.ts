import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { kinds } from "./e2e/matrix/kinds.ts";
import { chosenFault, chosenPositions, chosenStart, chosenTurn } from "./e2e/matrix/scope.ts";
import { goOnFaults, serverKinds, setupSample } from "./e2e/matrix/table.ts";

describe("the choice of what is tested each time", () => {
  it("has steps of each kind of plan, always the same for a seed", () => {
    for (const kind of kinds) {
      const chosen = chosenPositions(kind, "reboot");
      assert.equal(chosen.length, 1, kind.name);
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
    assert.deepEqual(new Set(seeds.map((seed) => chosenStart(4, seed))), new Set([0, 1, 2, 3]));
    assert.deepEqual(new Set(seeds.map((seed) => chosenTurn(seed))), new Set([0, 1]));
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
