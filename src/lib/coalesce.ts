import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Shares one piece of work between callers that request the same at the same time. The work always starts after the call,
 * so a result is never older than one of the caller's own would be: callers that arrive while the work is running share
 * the next one.
 */
export function coalesced<Argument, Value>(
  keyOf: (argument: Argument) => string,
  work: (argument: Argument) => Promise<Value>,
): (argument: Argument) => Promise<Value> {
  const waiting = new Map<string, Promise<Value>>();
  const running = new Map<string, Promise<void>>();

  async function begin(key: string, argument: Argument): Promise<Value> {
    // Callers in the same turn of the event loop join too.
    await (running.get(key) ?? nextTurn());
    waiting.delete(key);
    const result = work(argument);
    const ended: Promise<void> = result.then(nothing, nothing).then(() => {
      if (running.get(key) === ended) running.delete(key);
    });
    running.set(key, ended);
    return result;
  }

  return (argument) => {
    const key = keyOf(argument);
    const known = waiting.get(key);
    if (known) return known;
    const mine = begin(key, argument);
    waiting.set(key, mine);
    return mine;
  };
}

const nothing = (): void => {};
