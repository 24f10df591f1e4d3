const rowsAtOnce = 1_000;

/** Repeats a statement that changes up to `limit` rows until it changes fewer, or `signal` aborts. */
export async function inBatches(signal: AbortSignal, change: (limit: number) => Promise<number>): Promise<void> {
  let count = rowsAtOnce;
  while (count === rowsAtOnce && !signal.aborted) count = await change(rowsAtOnce);
}
