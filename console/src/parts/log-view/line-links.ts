import { useCallback } from "react";
import { useLocation, useNavigate } from "react-router";
import type { LineRange } from "./log-reader.ts";

// Lines in the address: #L120 and #L120-140.

export function parseLines(hash: string): LineRange | undefined {
  const [, first, second] = /^#L(\d{1,9})(?:-L?(\d{1,9}))?$/.exec(hash) ?? [];
  if (!first || Number(first) === 0) return undefined;
  const lines = [Number(first), Number(second ?? first)].sort((one, other) => one - other);
  return { from: lines[0] || 1, to: lines[1] ?? 1 };
}

export const hashOf = ({ from, to }: LineRange): string => (from === to ? `#L${from}` : `#L${from}-${to}`);

/** The lines that the address names, and how to name others. The history gets no entry for each. */
export function useLinkedLines(): [LineRange | undefined, (lines: LineRange | undefined) => void] {
  const { hash, pathname, search } = useLocation();
  const navigate = useNavigate();
  const link = useCallback(
    (lines: LineRange | undefined) =>
      void navigate(
        { pathname, search, hash: lines ? hashOf(lines) : "" },
        { replace: true, preventScrollReset: true },
      ),
    [navigate, pathname, search],
  );
  return [parseLines(hash), link];
}
