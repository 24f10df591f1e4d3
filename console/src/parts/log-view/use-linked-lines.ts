import { useCallback, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { hashOf, parseLines } from "./line-hash.ts";
import type { LineRange } from "./log-reader.ts";

/** The lines that the address names, and how to name one, or all up to one. The history gets no entry for each. */
export function useLinkedLines(): [LineRange | undefined, (line: number, isUpTo: boolean) => void] {
  const { hash, pathname, search } = useLocation();
  const navigate = useNavigate();
  const shown = useRef(hash);
  shown.current = hash;
  const link = useCallback(
    (line: number, isUpTo: boolean) => {
      const { from, to } = (isUpTo && parseLines(shown.current)) || { from: line, to: line };
      const lines = { from: Math.min(from, line), to: Math.max(to, line) };
      void navigate({ pathname, search, hash: hashOf(lines) }, { replace: true, preventScrollReset: true });
    },
    [navigate, pathname, search],
  );
  return [parseLines(hash), link];
}
