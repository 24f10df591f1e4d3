const tooLate = Symbol();

/**
 * The result of the work, or what `late` returns or throws when the work takes longer. The work itself continues; its later failure
 * is ignored.
 */
export async function withDeadline<Value, Late>(
  ms: number,
  work: Promise<Value>,
  late: () => Late,
): Promise<Value | Late> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<typeof tooLate>((resolve) => {
    timer = setTimeout(resolve, ms, tooLate);
  });
  const first = await Promise.race([work, deadline]).finally(() => clearTimeout(timer));
  return first === tooLate ? late() : first;
}
