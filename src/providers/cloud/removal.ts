import { messageOf } from "../../lib/errors.ts";
import {
  type CloudAccess,
  CloudError,
  type CloudResource,
  type CloudServer,
  type DriverOptions,
  type OrderRef,
  type RemainingResource,
  removalOrder,
} from "./driver.ts";
import { findLater } from "./ensure.ts";
import { checkRef } from "./names.ts";

/** Removes a single resource, and checks that it is gone. Both are safe to repeat. */
export interface Remover {
  options: DriverOptions;
  /** The existing resources of an order, by its tags; `known` adds ids that cannot be found by tag. */
  listOrdered: (access: CloudAccess, ref: OrderRef, known: readonly CloudResource[]) => Promise<CloudResource[]>;
  /** Requests the removal; does nothing when it is gone. */
  remove: (access: CloudAccess, resource: CloudResource) => Promise<void>;
  exists: (access: CloudAccess, resource: CloudResource) => Promise<boolean>;
}

/** See `CloudDriver.removeOrder`: resources that depend on the server wait until the server is gone. */
export async function removeOrder(
  remover: Remover,
  access: CloudAccess,
  {
    ref,
    known,
    save,
  }: { ref: OrderRef; known: readonly CloudResource[]; save: (resources: CloudResource[]) => Promise<void> },
): Promise<RemainingResource[]> {
  checkRef(ref);
  // If the order's answer was lost, nothing is stored of the server, and a list may not contain it yet.
  let resources: CloudResource[] = [];
  await findLater({ access, options: remover.options }, 4, async () => {
    resources = mergeResources(known, await remover.listOrdered(access, ref, known));
    return resources.find(({ kind }) => kind === "server");
  });
  await save(resources);
  const remaining: RemainingResource[] = [];
  for (const kind of removalOrder) {
    const isServerLeft = remaining.some((each) => each.kind === "server");
    for (const resource of resources.filter((each) => each.kind === kind)) {
      const reason = isServerLeft ? "It is removed after the server." : await removeOne(remover, access, resource);
      if (reason !== undefined) remaining.push({ ...resource, reason });
    }
  }
  return remaining;
}

// One that cannot be removed does not block the others.
async function removeOne(remover: Remover, access: CloudAccess, resource: CloudResource): Promise<string | undefined> {
  try {
    if (!(await remover.exists(access, resource))) return undefined;
    await remover.remove(access, resource);
    return (await remover.exists(access, resource)) ? "Its removal is not finished." : undefined;
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    return messageOf(error);
  }
}

/** Each resource once, in the order of the lists. */
export function mergeResources(...lists: (readonly CloudResource[])[]): CloudResource[] {
  const byIdentity = new Map<string, CloudResource>();
  for (const { kind, id, location } of lists.flat()) {
    byIdentity.set(`${kind} ${location} ${id}`, { kind, id, location });
  }
  return [...byIdentity.values()];
}

/** A server with what came with it. */
export const serverResources = ({ id, location, resources }: CloudServer): CloudResource[] => [
  { kind: "server", id, location },
  ...resources,
];
