/** Begins work in the order in which it comes, as much at once as `limit`; the others wait. */
export function atMost(limit: number): <Done>(work: () => Promise<Done>) => Promise<Done> {
  const waiting: (() => void)[] = [];
  let active = 0;
  return async (work) => {
    if (active >= limit) await new Promise<void>((begin) => waiting.push(begin));
    else active++;
    try {
      return await work();
    } finally {
      // The place goes to the next one directly, so that nothing comes in between.
      const next = waiting.shift();
      if (next) next();
      else active--;
    }
  };
}
