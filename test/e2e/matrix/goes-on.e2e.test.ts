import assert from "node:assert/strict";
import { after, before, describe, it, type TestContext } from "node:test";
import {
  type Hold,
  installInstrument,
  type Moment,
  openGate,
  setHolds,
  waitUntilHeld,
} from "../../../stage/instrument.ts";
import { lengthy, openStage, type Stage } from "../../../stage/support.ts";
import { begin } from "./beginnings.ts";
import {
  assertAllSteps,
  assertNothingIsLeft,
  assertRecordsAreWhole,
  countDeployments,
  startVisitors,
} from "./checks.ts";
import { strikeCancellations } from "./crew.ts";
import { type Fault, Faults, quickToGiveUp } from "./faults.ts";
import { type Begun, deploys, Fleet, type Member, type RunRow } from "./fleet.ts";
import { type Family, type Kind, kinds } from "./kinds.ts";
import { chosenFault, complete, seed } from "./scope.ts";
import { beforeFirst, type Turn, turns } from "./strikes.ts";
import { type FaultName, goOnFaults } from "./table.ts";
import type { Strike } from "./waves.ts";

// A run belongs to the server. When the control plane or the connection fails, at any step, the run continues, and its
// record is complete. One run of each kind at once moves from step to step, and the fault happens at each of them.

// Cancellations end a run: they have a project for each step, all struck at the same time.
const led = kinds.filter(({ action }) => action !== "cancellation");
const cancelled = kinds.filter(({ action }) => action === "cancellation");

let stage: Stage;
let fleet: Fleet;
let faults: Faults;
/** One project for each kind of plan, except for installations and removals, which use new ones each time. */
const staying = new Map<Kind, Member>();
/** The projects that one round installed, for the removals of the next. */
let leaving: Member[] = [];
const toBeCancelled: Record<Family, Member[]> = { static: [], php: [], node: [] };

before(async () => {
  stage = await openStage("goes-on", quickToGiveUp);
  faults = new Faults(stage);
  fleet = await Fleet.open(stage);
  for (const kind of led) {
    if (kind.action === "installation") continue;
    const member = await fleet.add(kind.family, { inPlace: kind.action === "in-place deployment" });
    if (kind.action === "project removal") leaving.push(member);
    else staying.set(kind, member);
  }
  for (const { family, steps } of complete ? cancelled : []) {
    for (const _ of steps) toBeCancelled[family].push(await fleet.add(family));
  }
  const all = [...staying.values(), ...leaving, ...Object.values(toBeCancelled).flat()];
  await fleet.settled(all);
  await fleet.commit();
  await fleet.deployAll(all);
  await fleet.giveJobs(all);
  await installInstrument(stage);
}, lengthy);

after(async () => {
  await fleet?.close();
  await faults?.end();
  await stage?.close();
});

const faultOf: Record<string, Fault> = {
  "control plane": (open) => faults.killControlPlane(open),
  PostgreSQL: (open) => faults.killPostgres(open),
  network: (open) => faults.cutNetwork(open),
};

const happens: Record<string, string> = {
  "control plane": "the control plane is killed and started again",
  PostgreSQL: "PostgreSQL is killed and comes back",
  network: "the network is cut and mended",
};

describe("a run of each kind of plan continues, and its record is whole, when at each of its steps", () => {
  if (!complete) {
    it(`the control plane is killed, or PostgreSQL, or the network is cut, by turns (seed ${seed})`, lengthy, (t) =>
      leadThrough((position) => chosenFault(position), momentsOf(beforeFirst), t),
    );
  }
  for (const fault of complete ? goOnFaults : []) {
    for (const moments of turns) {
      it(`${happens[fault]} (${moments[0]} the first step's work, then by turns)`, lengthy, (t) =>
        leadThrough(() => fault, momentsOf(moments), t),
      );
    }
  }
});

if (complete) {
  describe("a deployment that is being cancelled at any of its steps is cancelled, or continues, when", () => {
    for (const fault of goOnFaults) {
      for (const moments of turns) {
        it(`${happens[fault]} (${moments[0]} the first step's work, then by turns)`, lengthy, async (t) => {
          // No run is released before it is over.
          const happen = () => (faultOf[fault] as Fault)(async () => undefined);
          const strike: Strike = { fault, interruptsVisitors: false, says: /nothing fails/, happen };
          await strikeCancellations({ fleet, strike, momentOf: momentsOf(moments), t }, toBeCancelled);
        });
      }
    }
  });
}

type MomentOf = (position: number) => Moment;

const momentsOf =
  (moments: Turn): MomentOf =>
  (position) =>
    moments[position % 2] as Moment;

async function leadThrough(
  faultAt: (position: number) => FaultName,
  momentOf: MomentOf,
  t: TestContext,
): Promise<void> {
  await fleet.commit();
  const planned = await planSubjects();
  const holds = planned.flatMap(({ kind, id }) => holdsOf(kind, id, momentOf));
  await setHolds(stage, holds);
  const asked = await countDeployments(fleet, leaving);
  const removed = leaving;
  const begun: Begun[] = [];
  for (const { kind, member } of planned)
    begun.push(await begin(fleet, kind, member ?? (await fleet.add(kind.family))));
  leaving = begun.flatMap(({ kind, member }) => (kind.action === "installation" ? member : []));
  const visitors = startVisitors(fleet, begun);
  const rounds = Math.max(...begun.map(({ kind }) => kind.steps.length));
  try {
    for (let position = 0; position < rounds; position++) {
      const here = holds.filter((hold) => hold.position === position);
      await waitUntilHeld(stage, here);
      await faultOf[faultAt(position)]?.(() => openGate(stage, String(position)));
    }
    await fleet.settled(begun.map(({ member }) => member));
  } finally {
    await visitors.stop();
  }
  t.diagnostic(`${begun.length} runs, ${holds.length} times at a step`);
  await assertOutcomes(begun);
  assert.equal(await countDeployments(fleet, removed), asked + begun.filter(({ kind }) => deploys(kind)).length);
}

interface Planned {
  kind: Kind;
  /** The project's number; an installation gets the next number. */
  id: number;
  member: Member | undefined;
}

async function planSubjects(): Promise<Planned[]> {
  let next = await fleet.nextProjectId();
  return led.map((kind) => {
    const removed =
      kind.action === "project removal" ? leaving.find(({ family }) => family === kind.family) : undefined;
    const member = staying.get(kind) ?? removed;
    return { kind, member, id: member?.id ?? next++ };
  });
}

const holdsOf = ({ steps }: Kind, project: number, momentOf: (position: number) => Moment): Hold[] =>
  steps.map((_, position) => ({ project, position, moment: momentOf(position), gate: String(position) }));

async function assertOutcomes(begun: readonly Begun[]): Promise<void> {
  const runs: RunRow[] = [];
  for (const { member, kind, leadsTo } of begun) {
    const run = await fleet.lastRun(member.id, kind.action);
    runs.push(run);
    assert.deepEqual([run.state, run.error], ["succeeded", null], `${kind.name} of ${member.name}`);
    await assertAllSteps(fleet, run);
    assert.equal(await fleet.bodyOf(member), leadsTo, `${kind.name} of ${member.name}`);
    member.serves = leadsTo;
    if (kind.action === "project removal") await assertNothingIsLeft(fleet.stage, member);
    if (kind.action === "site publication") await fleet.assertPublished(member);
    if (kind.action === "job set-up") await fleet.assertJobsAreActive(member);
  }
  await assertRecordsAreWhole(fleet, runs);
}
