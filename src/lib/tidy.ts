const tidyBytes = 1 << 20;

let passed = 0;

/**
 * To be told of bytes that passed through buffers and are done with. Buffers lie outside of the heap, which hardly fills while
 * they come and go: they would be left to collections of the whole heap, one for every 2 MB of a log, which take a third of
 * the processor time. A small one takes half a millisecond. Without `--expose-gc`, which the launcher gives, nothing is done.
 */
export function tidyAfter(bytes: number): void {
  passed += bytes;
  if (passed < tidyBytes) return;
  passed = 0;
  globalThis.gc?.({ type: "minor" });
}
