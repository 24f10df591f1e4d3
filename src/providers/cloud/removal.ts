import { messageOf } from "../../lib/errors.ts";
import {
  type CloudAccess,
  CloudError,
  type CloudServer,
  type CloudThing,
  type DriverOptions,
  type OrderRef,
  type RemainingThing,
  removalOrder,
} from "./driver.ts";
import { findLater } from "./ensure.ts";
import { checkRef } from "./names.ts";

/** Removes a single thing, and checks that it is gone. Both are safe to repeat. */
export interface Remover {
  options: DriverOptions;
  /** The existing things of an order, by its tags; `known` adds ids that cannot be found by tag. */
  listOrdered: (access: CloudAccess, ref: OrderRef, known: readonly CloudThing[]) => Promise<CloudThing[]>;
  /** Requests the removal; does nothing when it is gone. */
  remove: (access: CloudAccess, thing: CloudThing) => Promise<void>;
  exists: (access: CloudAccess, thing: CloudThing) => Promise<boolean>;
}

/** See `CloudDriver.removeOrder`: things that depend on the server wait until the server is gone. */
export async function removeOrder(
  remover: Remover,
  access: CloudAccess,
  { ref, known, save }: { ref: OrderRef; known: readonly CloudThing[]; save: (things: CloudThing[]) => Promise<void> },
): Promise<RemainingThing[]> {
  checkRef(ref);
  // If the order's answer was lost, nothing is stored of the server, and a list may not contain it yet.
  let things: CloudThing[] = [];
  await findLater({ access, options: remover.options }, 4, async () => {
    things = mergeThings(known, await remover.listOrdered(access, ref, known));
    return things.find(({ kind }) => kind === "server");
  });
  await save(things);
  const remaining: RemainingThing[] = [];
  for (const kind of removalOrder) {
    const isServerLeft = remaining.some((each) => each.kind === "server");
    for (const thing of things.filter((each) => each.kind === kind)) {
      const reason = isServerLeft ? "It is removed after the server." : await removeOne(remover, access, thing);
      if (reason !== undefined) remaining.push({ ...thing, reason });
    }
  }
  return remaining;
}

// One that cannot be removed does not block the others.
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

/** Each thing once, in the order of the lists. */
export function mergeThings(...lists: (readonly CloudThing[])[]): CloudThing[] {
  const byIdentity = new Map<string, CloudThing>();
  for (const { kind, id, location } of lists.flat()) {
    byIdentity.set(`${kind} ${location} ${id}`, { kind, id, location });
  }
  return [...byIdentity.values()];
}

/** A server with what came with it. */
export const serverThings = ({ id, location, things }: CloudServer): CloudThing[] => [
  { kind: "server", id, location },
  ...things,
];
