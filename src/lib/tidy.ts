const tidyBytes = 1 << 20;

let passed = 0;

/**
 * Counts bytes that passed through buffers and are no longer used, and collects young garbage after each megabyte. Buffers lie
 * outside the heap, which hardly fills while they come and go. Storing a log of 100 MB takes 12 to 50 MB of memory with this
 * and 32 to 65 MB without (`./longshore bench log`, whose limit is 60). Does nothing without `--expose-gc`, which the launcher
 * sets.
 */
export function tidyAfter(bytes: number): void {
  passed += bytes;
  if (passed < tidyBytes) return;
  passed = 0;
  globalThis.gc?.({ type: "minor" });
}
