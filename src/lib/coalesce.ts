import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Shares one piece of work between all who ask for the same at the same time. What anybody gets was begun after he asked,
 * so it is never older than an answer of his own would be: who asks while the work is under way shares the next one.
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
