/** Starts work in the order of the calls, at most `limit` at once; the others wait. */
export function limitConcurrency(limit: number): <Done>(work: () => Promise<Done>) => Promise<Done> {
  const waiting: (() => void)[] = [];
  let active = 0;
  return async (work) => {
    if (active >= limit) await new Promise<void>((begin) => waiting.push(begin));
    else active++;
    try {
      return await work();
    } finally {
      // The slot goes directly to the next caller, so that no new call takes it in between.
      const next = waiting.shift();
      if (next) next();
      else active--;
    }
  };
}
