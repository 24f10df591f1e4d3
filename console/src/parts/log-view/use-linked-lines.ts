import { useCallback } from "react";
import { useLocation, useNavigate } from "react-router";
import { hashOf, parseLines } from "./line-hash.ts";
import type { LineRange } from "./log-reader.ts";

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
