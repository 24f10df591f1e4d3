/**
 * What a later feature adds to a hook point of an earlier one, which calls it without knowing the feature. A feature lists its
 * hooks in features.ts; the context has those of all features, in their order.
 */
export interface Hook {
  readonly point: unknown;
  readonly part: unknown;
}

export interface WithHooks {
  readonly hooks: readonly Hook[];
}

/** Called with a part, it makes the hook that adds it. */
export interface HookPoint<Part> {
  (part: Part): Hook;
  /** The parts that features have added, in the order of the features. */
  of(ctx: WithHooks): readonly Part[];
}

export function hookPoint<Part>(): HookPoint<Part> {
  const point = (part: Part): Hook => ({ point, part });
  const of = ({ hooks }: WithHooks) => hooks.filter((hook) => hook.point === point).map(({ part }) => part as Part);
  return Object.assign(point, { of });
}

/** Asks one after the other, and returns the first answer that is not undefined. */
export async function firstAnswer<Part, Answer>(
  parts: readonly Part[],
  ask: (part: Part) => Answer | undefined | Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  for (const part of parts) {
    const answer = await ask(part);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

/** Asks one after the other until one answers with true; returns whether one did. */
export const isAny = async <Part>(
  parts: readonly Part[],
  ask: (part: Part) => Promise<boolean> | undefined,
): Promise<boolean> => (await firstAnswer(parts, async (part) => (await ask(part)) || undefined)) ?? false;
