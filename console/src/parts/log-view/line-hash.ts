import type { LineRange } from "./log-reader.ts";

// Lines in the address: #L120 and #L120-140.

export function parseLines(hash: string): LineRange | undefined {
  const [, first, second] = /^#L(\d{1,9})(?:-L?(\d{1,9}))?$/.exec(hash) ?? [];
  if (!first || Number(first) === 0) return undefined;
  const lines = [Number(first), Number(second ?? first)].sort((one, other) => one - other);
  return { from: lines[0] || 1, to: lines[1] ?? 1 };
}

export const hashOf = ({ from, to }: LineRange): string => (from === to ? `#L${from}` : `#L${from}-${to}`);
