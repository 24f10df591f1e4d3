import type { CloudAccess, OmittedType, SkippedItem } from "./driver.ts";

/** An access that also records what was left out of lists. */
export function recordSkipped(access: CloudAccess): { access: CloudAccess; skipped: SkippedItem[] } {
  const skipped: SkippedItem[] = [];
  const onSkipped = (item: SkippedItem) => {
    skipped.push(item);
    access.onSkipped?.(item);
  };
  return { access: { ...access, onSkipped }, skipped };
}

/** Server types that could not be read, of the given list. */
export const omittedOf = (skipped: readonly SkippedItem[], of: string): OmittedType[] =>
  skipped.flatMap(({ list, item, reason }) => (list === of && item !== null ? [{ name: item, reason }] : []));
