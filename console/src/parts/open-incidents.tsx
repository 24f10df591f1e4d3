import { formatNumber } from "../ui/format.ts";
import { StateIcon } from "../ui/state-icon.tsx";

/** How many incidents of a status page are not resolved. */
export function OpenIncidents({ count }: { count: number }) {
  if (count === 0) return <span className="text-text-2">None</span>;
  return <StateIcon tone="warn" word={`${formatNumber(count)} open`} />;
}
