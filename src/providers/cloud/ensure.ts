import { setTimeout as sleep } from "node:timers/promises";
import { type CloudAccess, CloudError, type DriverOptions } from "./driver.ts";

const looks = 5;
const firstPauseMs = 500;

/**
 * Finds or creates something, so that it exists once. After an error that leaves the outcome open, `find` runs several times
 * before the error is thrown; the caller's next attempt runs it first. `existed` recognizes refusals that prove it exists.
 */
export async function ensure<Thing>(
  { access, options }: { access: CloudAccess; options: DriverOptions },
  steps: {
    find: () => Promise<Thing | undefined>;
    make: () => Promise<Thing>;
    existed?: (error: CloudError) => boolean;
  },
): Promise<Thing> {
  const found = await steps.find();
  if (found !== undefined) return found;
  try {
    return await steps.make();
  } catch (error) {
    if (!(error instanceof CloudError) || !(error.isUncertain || steps.existed?.(error))) throw error;
    const made = await findAfterConflict({ access, options }, steps.find);
    if (made === undefined) throw error;
    return made;
  }
}

// Lists may lag behind, and the request may still be in transit.
async function findAfterConflict<Thing>(
  { access, options }: { access: CloudAccess; options: DriverOptions },
  find: () => Promise<Thing | undefined>,
): Promise<Thing | undefined> {
  for (let look = 0; look < looks; look += 1) {
    await sleep(((options.pauseMs ?? firstPauseMs) * 2 ** look) / 2, undefined, { signal: access.signal });
    const found = await find();
    if (found !== undefined) return found;
  }
  return undefined;
}
