import { messageOf } from "../../lib/errors.ts";
import {
  type CloudAccess,
  CloudError,
  type CloudResource,
  type CloudServer,
  type DriverOptions,
  type OrderRef,
  type RemainingResource,
  type RemovalOf,
  type ResourceKind,
  removalOrder,
} from "./driver.ts";
import { findLater, minuteOfLooks } from "./ensure.ts";
import { checkRef } from "./names.ts";

/** Removes a single resource, and checks that it is gone. Both are safe to repeat. */
export interface Remover {
  options: DriverOptions;
  /** Kinds that stay, since orders share them. */
  shared?: readonly ResourceKind[];
  /** The existing resources of an order, by its tags, and by the ids in `known` that they hang on. */
  listOrdered: (access: CloudAccess, ref: OrderRef, known: readonly CloudResource[]) => Promise<CloudResource[]>;
  /** Requests the removal; does nothing when it is gone. */
  remove: (access: CloudAccess, resource: CloudResource) => Promise<void>;
  exists: (access: CloudAccess, resource: CloudResource) => Promise<boolean>;
  /** Removes what is free of charge, when nothing else is left. A failure leaves it. */
  tidy?: (access: CloudAccess, ref: OrderRef) => Promise<void>;
}

interface Removal extends RemovalOf {
  ref: OrderRef;
  save: (resources: CloudResource[]) => Promise<void>;
}

/** See `CloudDriver.removeOrder`: resources that depend on the server wait until the server is gone. */
export async function removeOrder(
  remover: Remover,
  access: CloudAccess,
  { ref, save, isFresh = false, isUncertain = false, ...given }: Removal,
): Promise<RemainingResource[]> {
  checkRef(ref);
  const known = given.known.filter(({ kind }) => !remover.shared?.includes(kind));
  let listed: CloudResource[] = [];
  // If the order's answer was lost, nothing is stored of the server, and a list may not contain it yet.
  await findLater({ access, options: remover.options }, isUncertain ? minuteOfLooks : 4, async () => {
    listed = await remover.listOrdered(access, ref, known);
    return [...known, ...listed].find(({ kind }) => kind === "server");
  });
  const resources = mergeResources(known, listed);
  await save(resources);
  const seen = isFresh ? listed : resources;
  const remaining = await removeAll(remover, access, { resources, seen });
  if (remaining.length > 0) return remaining;
  // Of a new order the first list may have lacked something, such as an address whose answer was lost.
  const late = isFresh ? await remover.listOrdered(access, ref, known) : [];
  const more = late.filter((each) => !resources.some((other) => isSame(each, other)));
  if (more.length > 0) await save([...resources, ...more]);
  else await tidy(remover, access, ref);
  return more.map((resource) => ({ ...resource, reason: "It was listed late." }));
}

async function removeAll(
  remover: Remover,
  access: CloudAccess,
  { resources, seen }: { resources: readonly CloudResource[]; seen: readonly CloudResource[] },
): Promise<RemainingResource[]> {
  const remaining: RemainingResource[] = [];
  let hasWaited = false;
  for (const kind of removalOrder) {
    const isServerLeft = remaining.some((each) => each.kind === "server");
    for (const resource of resources.filter((each) => each.kind === kind)) {
      if (isServerLeft) {
        remaining.push({ ...resource, reason: "It is removed after the server." });
        continue;
      }
      // One full wait is enough for all: it is as long as reads may lag behind.
      const mayAppear: boolean = !hasWaited && !seen.some((each) => isSame(each, resource));
      const { wasThere, reason } = await removeOne(remover, access, resource, mayAppear ? minuteOfLooks : 1);
      hasWaited ||= mayAppear && !wasThere;
      if (reason !== undefined) remaining.push({ ...resource, reason });
    }
  }
  return remaining;
}

// While a removal takes longer, the next attempt looks again.
const looksAtEnd = 8;

/** Whether it existed, and why it is left. One that cannot be removed does not block the others. */
async function removeOne(
  remover: Remover,
  access: CloudAccess,
  resource: CloudResource,
  looks: number,
): Promise<{ wasThere: boolean; reason?: string }> {
  const connection = { access, options: remover.options };
  const exists = () => remover.exists(access, resource);
  try {
    const wasThere = await findLater(connection, looks, async () => (await exists()) || undefined);
    if (!wasThere) return { wasThere: false };
    await remover.remove(access, resource);
    const isGone = await findLater(connection, looksAtEnd, async () => !(await exists()) || undefined);
    return isGone ? { wasThere } : { wasThere, reason: "Its removal is not finished." };
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    return { wasThere: true, reason: messageOf(error) };
  }
}

async function tidy(remover: Remover, access: CloudAccess, ref: OrderRef): Promise<void> {
  try {
    await remover.tidy?.(access, ref);
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
  }
}

const identityOf = ({ kind, id, location }: CloudResource): string => `${kind} ${location} ${id}`;

const isSame = (one: CloudResource, other: CloudResource): boolean => one.kind === other.kind && one.id === other.id;

/** Each resource once, in the order of the lists. */
export function mergeResources(...lists: (readonly CloudResource[])[]): CloudResource[] {
  const byIdentity = new Map<string, CloudResource>();
  for (const { kind, id, location } of lists.flat()) {
    const resource = { kind, id, location };
    byIdentity.set(identityOf(resource), resource);
  }
  return [...byIdentity.values()];
}

/** A server with what came with it. */
export const serverResources = ({ id, location, resources }: CloudServer): CloudResource[] => [
  { kind: "server", id, location },
  ...resources,
];
