import { setTimeout as sleep } from "node:timers/promises";
import { type CloudAccess, CloudError, type DriverOptions } from "./driver.ts";

interface Connection {
  access: CloudAccess;
  options: DriverOptions;
}

/**
 * Finds or creates something, so that it exists once. After an error that leaves the outcome open, `find` runs several times
 * before the error is thrown; the caller's next attempt runs it first. `existed` recognizes refusals that prove it exists.
 * `mayDouble`: the provider would make a second one, so a lost one is looked for as long as lists may lag behind.
 */
export async function ensure<Resource>(
  connection: Connection,
  steps: {
    find: () => Promise<Resource | undefined>;
    make: () => Promise<Resource>;
    existed?: (error: CloudError) => boolean;
    mayDouble?: boolean;
  },
): Promise<Resource> {
  const found = await steps.find();
  if (found !== undefined) return found;
  try {
    return await steps.make();
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    const isProven = steps.existed?.(error) ?? false;
    if (!isProven && !error.isUncertain) throw error;
    const open = isProven
      ? new CloudError("unavailable", error.message, { isUncertain: true, cause: error.cause })
      : error;
    const looks = isProven || steps.mayDouble ? minuteOfLooks : 5;
    const made = await findLater(connection, looks, steps.find).catch((failure) => {
      // The outcome is still open.
      throw failure instanceof CloudError ? open : failure;
    });
    if (made !== undefined) return made;
    throw open;
  }
}

/**
 * Repeats a call for up to a minute while the provider does not know an id that it returned a moment ago: its hosts learn about
 * a new resource one after the other. `isUnknown`: default, the resource does not exist.
 */
export async function whileUnknown<Result>(
  { access, options }: Connection,
  call: () => Promise<Result>,
  isUnknown = (error: CloudError) => error.code === "not_found",
): Promise<Result> {
  for (let look = 1; ; look += 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof CloudError) || !isUnknown(error) || look === minuteOfLooks) throw error;
    }
    await sleep(pauseAfter(look, options), undefined, { signal: access.signal });
  }
}

// A provider that names a wait is not asked before.
const mayPass = (error: unknown): boolean =>
  error instanceof CloudError && !error.permanent && error.retryAfterMs === undefined;

const firstPauseMs = 500;
const longestPauses = 8;
/** So many looks take a minute. */
export const minuteOfLooks = 18;

const pauseAfter = (look: number, { pauseMs = firstPauseMs }: DriverOptions): number =>
  pauseMs * Math.min(2 ** (look - 1), longestPauses);

/**
 * What `find` finds in that many looks: lists may lag behind, and a request may still be in transit. A single failed look is
 * passed over, since in so many looks one would often fail; the last has to succeed.
 */
export async function findLater<Resource>(
  { access, options }: Connection,
  looks: number,
  find: () => Promise<Resource | undefined>,
): Promise<Resource | undefined> {
  let hasFailed = false;
  for (let look = 1; ; look += 1) {
    try {
      const found = await find();
      if (found !== undefined || look === looks) return found;
      hasFailed = false;
    } catch (error) {
      if (hasFailed || look === looks || !mayPass(error)) throw error;
      hasFailed = true;
    }
    await sleep(pauseAfter(look, options), undefined, { signal: access.signal });
  }
}
