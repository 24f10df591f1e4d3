import { setTimeout as sleep } from "node:timers/promises";
import { type CloudAccess, CloudError, type DriverOptions } from "./driver.ts";

interface Connection {
  access: CloudAccess;
  options: DriverOptions;
}

/**
 * Finds or creates something, so that it exists once. After an error that leaves the outcome open, `find` runs several times
 * before the error is thrown; the caller's next attempt runs it first. `existed` recognizes refusals that prove it exists.
 */
export async function ensure<Resource>(
  connection: Connection,
  steps: {
    find: () => Promise<Resource | undefined>;
    make: () => Promise<Resource>;
    existed?: (error: CloudError) => boolean;
  },
): Promise<Resource> {
  const found = await steps.find();
  if (found !== undefined) return found;
  try {
    return await steps.make();
  } catch (error) {
    if (!(error instanceof CloudError) || !(error.isUncertain || steps.existed?.(error))) throw error;
    const made = await findLater(connection, 5, steps.find);
    if (made === undefined) throw error;
    return made;
  }
}

const firstPauseMs = 500;

/** What `find` finds in that many looks: lists may lag behind, and a request may still be in transit. */
export async function findLater<Resource>(
  { access, options }: Connection,
  looks: number,
  find: () => Promise<Resource | undefined>,
): Promise<Resource | undefined> {
  for (let look = 1; ; look += 1) {
    const found = await find();
    if (found !== undefined || look === looks) return found;
    await sleep((options.pauseMs ?? firstPauseMs) * 2 ** (look - 1), undefined, { signal: access.signal });
  }
}
