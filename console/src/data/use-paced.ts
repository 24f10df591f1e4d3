import { useCallback, useEffect, useRef } from "react";

/**
 * Calls `act` with a value at once, or, if it came shortly after another one, when no other has come for so long: a jump acts
 * at once, and what passes by while one scrolls does not.
 */
export function usePaced<Value>(act: (value: Value) => void, ms: number): (value: Value) => void {
  const last = useRef<{ at: number; timer?: ReturnType<typeof setTimeout> }>({ at: Number.NEGATIVE_INFINITY });
  useEffect(() => () => clearTimeout(last.current.timer), []);
  return useCallback(
    (value) => {
      const at = performance.now();
      const isAlone = at - last.current.at > ms;
      clearTimeout(last.current.timer);
      last.current = { at };
      if (isAlone) act(value);
      else last.current.timer = setTimeout(act, ms, value);
    },
    [act, ms],
  );
}
