import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { type Hold, type Moment, openGate, setHolds, waitUntilHeld } from "../../../stage/instrument.ts";
import { begin } from "./beginnings.ts";
import { askForCancels, type Cancels, cancelGate } from "./cancels.ts";
import { assertNothingIsLeft, assertRecordsAreWhole, countDeployments, startVisitors } from "./checks.ts";
import { type Begun, deploys, type Fleet, type Member, type RunRow } from "./fleet.ts";
import type { Kind } from "./kinds.ts";
import { endsOf, type FaultName, survives } from "./table.ts";

// A fault that ends a run cannot be tested with one run at each of its steps: so there is a project for each step, and
// all of them are struck at the same time, each at another step of its own run.

export interface Strike {
  fault: FaultName;
  /** Whether visitors notice it nevertheless. */
  interruptsVisitors: boolean;
  /** The error in the record of a run that was undone. */
  says: RegExp;
  /** Causes it; with `open` the runs may be released in the middle of it, otherwise they are afterwards. */
  happen(open: () => Promise<void>): Promise<void>;
}

/** A run of a kind, to be struck at a step. Without a member it is for one that does not exist yet. */
export interface Target {
  kind: Kind;
  position: number;
  moment: Moment;
  member: Member | undefined;
}

const gate = "strike";

/** Starts all runs, waits until each has reached its step, strikes, and checks the results. */
export async function strikeAll(
  fleet: Fleet,
  strike: Strike,
  targets: readonly Target[],
  t: TestContext,
): Promise<Begun[]> {
  await fleet.commit();
  const holds = await holdsOf(fleet, targets);
  await setHolds(fleet.stage, holds);
  const before = await fleet.states(targets.flatMap(({ member }) => member ?? []));
  const removed = targets.flatMap(({ kind, member }) => (member && kind.action === "project removal" ? member : []));
  const asked = await countDeployments(fleet, removed);
  const begun: Begun[] = [];
  for (const { kind, member } of targets) {
    begun.push(await begin(fleet, kind, member ?? (await fleet.add(kind.family))));
  }
  await waitUntilHeld(fleet.stage, holds);
  const struck = await Promise.all(begun.map(({ member, kind }) => fleet.lastRun(member.id, kind.action)));
  const cancels = await letHappen(fleet, strike, begun);
  await fleet.settled(begun.map(({ member }) => member));
  if (strike.interruptsVisitors) await fleet.booted(begun.map(({ member }) => member));
  assert.equal(await countDeployments(fleet, removed), asked + begun.filter(({ kind }) => deploys(kind)).length);
  const runs = await look(fleet, strike, targets, begun, struck, before, cancels);
  t.diagnostic(`${begun.length} runs: ${countedOf(runs.map(({ state }) => state))}`);
  return begun;
}

async function holdsOf(fleet: Fleet, targets: readonly Target[]): Promise<Hold[]> {
  let next = await fleet.nextProjectId();
  return targets.map(({ kind, position, moment, member }) => ({
    project: member?.id ?? next++,
    position,
    moment,
    gate: kind.action === "cancellation" ? cancelGate : gate,
  }));
}

async function letHappen(fleet: Fleet, strike: Strike, begun: readonly Begun[]): Promise<Cancels> {
  const visitors = startVisitors(fleet, begun);
  try {
    const cancels = await askForCancels(fleet, begun);
    let opening: Promise<void> | undefined;
    const open = (): Promise<void> => {
      opening ??= openGate(fleet.stage, gate).then(cancels.letGoOn);
      return opening;
    };
    await strike.happen(open);
    await open();
    return cancels;
  } finally {
    await visitors.stop(strike.interruptsVisitors);
  }
}

const countedOf = (states: readonly string[]): string =>
  [...new Set(states)].map((each) => `${states.filter((other) => other === each).length} ${each}`).join(", ");

async function look(
  fleet: Fleet,
  strike: Strike,
  targets: readonly Target[],
  begun: readonly Begun[],
  struck: readonly RunRow[],
  before: ReadonlyMap<number, string>,
  { answers }: Cancels,
): Promise<RunRow[]> {
  const runs: RunRow[] = [];
  const stayed = begun.filter(({ kind, member }) => before.has(member.id) && kind.action !== "project removal");
  const states = await fleet.states(stayed.map(({ member }) => member));
  for (const [at, one] of begun.entries()) {
    const { member, kind } = one;
    // Not the newest: the engine may have retried it by now.
    const run = await fleet.run((struck[at] as RunRow).id);
    runs.push(run);
    const { position } = targets[at] as Target;
    const what = `${kind.name}, struck at ${kind.steps[position]} (project ${member.id}, run ${run.id}: ${run.error})`;
    assert.ok(endsOf(kind, position, strike.fault).includes(run.state), `${what}: ${run.state}`);
    if (deploys(kind)) assert.equal((await fleet.newestDeployment(member.id)).status, statusOf[run.state], what);
    const isPromised = answers.get(member.id) === 202 && position < kind.turn && survives(strike.fault);
    if (isPromised) assert.equal(run.state, "cancelled", what);
    if (run.state === "failed") assert.match(run.error ?? "", strike.says, what);
    if (run.state === "succeeded") await assertDone(fleet, one, what);
    else await assertPutBack(fleet, one, before, states, what);
  }
  await assertRecordsAreWhole(fleet, runs);
  return runs;
}

/** For the deployment whose run ended like this. */
const statusOf: Record<string, number> = { succeeded: 1, failed: 2, cancelled: 5 };

async function assertDone(fleet: Fleet, { member, kind, leadsTo }: Begun, what: string): Promise<void> {
  assert.equal(await fleet.bodyOf(member), leadsTo, what);
  member.serves = leadsTo;
  if (kind.action === "project removal") await assertNothingIsLeft(fleet.stage, member);
  if (kind.action === "site publication") await fleet.assertPublished(member);
  if (kind.action === "job set-up") await fleet.assertJobsAreActive(member);
}

async function assertPutBack(
  fleet: Fleet,
  { member, kind }: Begun,
  before: ReadonlyMap<number, string>,
  after: ReadonlyMap<number, string>,
  what: string,
): Promise<void> {
  // A project that is replaced in place is a mix of both, until the next deployment repairs it.
  if (member.inPlace) return;
  const body = await fleet.bodyOf(member);
  // The steps that prepare a site keep their results when the rest of the installation fails.
  if (kind.action === "installation") return assert.match(body, /^status (404|503)$/, what);
  assert.equal(body, member.serves, what);
  if (kind.action === "job set-up") await fleet.jobsAreRetried(member);
  else assert.equal(after.get(member.id), before.get(member.id), what);
}
