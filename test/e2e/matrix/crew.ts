import type { TestContext } from "node:test";
import type { Moment } from "../../../stage/instrument.ts";
import type { Fleet, Member } from "./fleet.ts";
import { type Action, type Family, families, type Kind, kindOf, kinds } from "./kinds.ts";
import { chosenPositions } from "./scope.ts";
import { type Strike, strikeAll, type Target } from "./waves.ts";

// Which run is struck by which fault in which wave.

/** The members that the waves need: as many per family as its longest plan has steps. */
export interface Crew {
  members: Record<Family, Member[]>;
  inPlace: Record<Family, Member[]>;
}

export interface Wave {
  fleet: Fleet;
  strike: Strike;
  momentOf(position: number): Moment;
  t: TestContext;
}

/** Some steps of each kind of plan, at once. */
export async function strikeChosen({ fleet, strike, momentOf, t }: Wave): Promise<void> {
  const targets: Target[] = [];
  for (const kind of kinds) {
    for (const position of chosenPositions(kind, strike.fault)) {
      const isNew = kind.action === "installation";
      const inPlace = kind.action === "in-place deployment";
      const member = isNew ? undefined : await fleet.add(kind.family, { inPlace });
      targets.push({ kind, position, moment: momentOf(position), member });
    }
  }
  const members = targets.flatMap(({ member }) => member ?? []);
  await fleet.installed(members);
  await fleet.commit();
  await fleet.deployAll(members);
  await fleet.giveJobs(members);
  // A removal makes room: then the disk would not be full.
  const isApart = ({ kind }: Target): boolean => strike.fault === "disk" && kind.action === "project removal";
  for (const apart of [false, true]) {
    const some = targets.filter((target) => isApart(target) === apart);
    if (some.length > 0) await strikeAll(fleet, strike, some, t);
  }
}

/** Installs the crew, each struck at another step; repeats the failed installations. */
export async function installCrew(wave: Wave): Promise<Crew> {
  const { fleet } = wave;
  const inPlace: Crew["inPlace"] = { static: [], php: [], node: [] };
  for (const family of families) {
    const { steps } = kindOf("in-place deployment", family);
    for (const _ of steps) inPlace[family].push(await fleet.add(family, { inPlace: true }));
  }
  const inPlaces = Object.values(inPlace).flat();
  await fleet.installed(inPlaces);
  const targets = families.flatMap((family) => targetsOf(wave, kindOf("installation", family)));
  const begun = await strikeAll(fleet, wave.strike, targets, wave.t);
  const members: Crew["members"] = { static: [], php: [], node: [] };
  for (const { member } of begun) members[member.family].push(member);
  const all = Object.values(members).flat();
  await fleet.deployAll([...inPlaces, ...all]);
  await fleet.giveJobs(all);
  return { members, inPlace };
}

export async function strikeDeployments(wave: Wave, { members, inPlace }: Crew): Promise<void> {
  const targets = [
    ...families.flatMap((family) => targetsOf(wave, kindOf("deployment", family), members[family])),
    ...families.flatMap((family) => targetsOf(wave, kindOf("in-place deployment", family), inPlace[family])),
  ];
  await strikeAll(wave.fleet, wave.strike, targets, wave.t);
  // The next deployment repairs a struck project that is replaced in place.
  await wave.fleet.deployAll(Object.values(inPlace).flat());
}

/** One wave of cancels: a member for each step of each kind. */
export async function strikeCancellations(wave: Wave, members: Crew["members"]): Promise<void> {
  const cancellations = kinds.filter(({ action }) => action === "cancellation");
  const targets = cancellations.flatMap((kind) => targetsOf(wave, kind, members[kind.family]));
  await strikeAll(wave.fleet, wave.strike, targets, wave.t);
}

export async function strikeTheRest(wave: Wave, { members }: Crew): Promise<void> {
  const { fleet, strike } = wave;
  const left = { static: [...members.static], php: [...members.php], node: [...members.node] };
  const take = (action: Action, family: Family): Target[] => {
    const kind = kindOf(action, family);
    return targetsOf(wave, kind, left[family].splice(0, kind.steps.length));
  };
  const rollbacks = families.flatMap((family) => take("rollback", family));
  const targets = [
    ...rollbacks,
    ...take("recycle", "node"),
    ...take("site publication", "static"),
    ...take("maintenance", "static"),
    ...take("job set-up", "php"),
  ];
  await fleet.commit();
  await fleet.deployAll(rollbacks.flatMap(({ member }) => member ?? []));
  await strikeAll(fleet, strike, targets, wave.t);
  // Separate from the others: a removal makes room on a full disk.
  const { node } = members;
  const removals = [
    ...take("project removal", "static"),
    ...take("project removal", "php"),
    ...targetsOf(wave, kindOf("project removal", "node"), node),
  ];
  await strikeAll(fleet, strike, removals, wave.t);
}

/** One target for each step. */
const targetsOf = ({ momentOf }: Wave, kind: Kind, members?: readonly Member[]): Target[] =>
  kind.steps.map((_, position) => ({ kind, position, moment: momentOf(position), member: members?.[position] }));
