import { messageOf } from "../../lib/errors.ts";
import {
  type CloudAccess,
  CloudError,
  type CloudThing,
  type OrderRef,
  type RemainingThing,
  removalOrder,
  type ThingKind,
} from "./driver.ts";

/** What removes a single thing, and looks at it. Both are safe to repeat. */
export interface Remover {
  listOrdered: (access: CloudAccess, ref: OrderRef, known: readonly CloudThing[]) => Promise<CloudThing[]>;
  /** Asks for the removal; nothing happens when it is gone. */
  remove: (access: CloudAccess, thing: CloudThing) => Promise<void>;
  exists: (access: CloudAccess, thing: CloudThing) => Promise<boolean>;
}

/** See `CloudDriver.removeOrder`: what depends on the server waits until that is gone. */
export async function removeOrder(
  remover: Remover,
  access: CloudAccess,
  { ref, known, save }: { ref: OrderRef; known: readonly CloudThing[]; save: (things: CloudThing[]) => Promise<void> },
): Promise<RemainingThing[]> {
  const things = mergeThings(known, await remover.listOrdered(access, ref, known));
  await save(things);
  const remaining: RemainingThing[] = [];
  for (const kind of removalOrder) {
    const left = remaining.some((each) => each.kind === "server")
      ? ofKind(things, kind).map((thing) => ({ ...thing, reason: "It is removed after the server." }))
      : await removeAll(remover, access, ofKind(things, kind));
    remaining.push(...left);
  }
  return remaining;
}

const ofKind = (things: readonly CloudThing[], kind: ThingKind): CloudThing[] =>
  things.filter((thing) => thing.kind === kind);

async function removeAll(
  remover: Remover,
  access: CloudAccess,
  things: readonly CloudThing[],
): Promise<RemainingThing[]> {
  const remaining: RemainingThing[] = [];
  for (const thing of things) {
    const reason = await removeOne(remover, access, thing);
    if (reason !== undefined) remaining.push({ ...thing, reason });
  }
  return remaining;
}

// One that cannot be removed does not keep the others.
async function removeOne(remover: Remover, access: CloudAccess, thing: CloudThing): Promise<string | undefined> {
  try {
    if (!(await remover.exists(access, thing))) return undefined;
    await remover.remove(access, thing);
    return (await remover.exists(access, thing)) ? "Its removal is not finished." : undefined;
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    return messageOf(error);
  }
}

const identityOf = ({ kind, id, location }: CloudThing): string => `${kind} ${location} ${id}`;

/** Each thing once, in the order of the lists. */
export function mergeThings(...lists: (readonly CloudThing[])[]): CloudThing[] {
  const byIdentity = new Map<string, CloudThing>();
  for (const { kind, id, location } of lists.flat()) {
    byIdentity.set(identityOf({ kind, id, location }), { kind, id, location });
  }
  return [...byIdentity.values()];
}
