import { describe, it, type TestContext } from "node:test";
import type { Moment } from "../../../stage/instrument.ts";
import { lengthy } from "../../../stage/support.ts";
import {
  type Crew,
  installCrew,
  strikeCancellations,
  strikeChosen,
  strikeDeployments,
  strikeTheRest,
  type Wave,
} from "./crew.ts";
import { complete, seed } from "./scope.ts";

/** The two ways to alternate from step to step: together they cover both moments at each step. */
export type Turn = readonly [Moment, Moment];
const afterFirst: Turn = ["after", "before"];
export const beforeFirst: Turn = ["before", "after"];
export const turns: readonly Turn[] = [afterFirst, beforeFirst];

/** The tests of faults that end runs: at each step and each moment, or at a selection. */
export function describeStrikes(title: string, scene: () => Pick<Wave, "fleet" | "strike">): void {
  for (const moments of complete ? turns : [afterFirst]) {
    const wave = (t: TestContext): Wave => ({
      ...scene(),
      momentOf: (position) => moments[position % 2] as Moment,
      t,
    });
    if (!complete) {
      describe(title, () => {
        it(`at some steps of each kind of plan (seed ${seed})`, lengthy, (t) => strikeChosen(wave(t)));
      });
      continue;
    }
    describe(`${title} at each step (${moments[0]} the first step's work, then by turns)`, () => {
      let crew: Crew;
      it("of installations", async (t) => {
        crew = await installCrew(wave(t));
      });
      it("of deployments", (t) => strikeDeployments(wave(t), crew));
      it("of deployments that are being cancelled", (t) => strikeCancellations(wave(t), crew.members));
      it("of rollbacks, recycles, publications, maintenance, jobs and removals", (t) => strikeTheRest(wave(t), crew));
    });
  }
}
