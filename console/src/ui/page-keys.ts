import { useEffect, useEffectEvent } from "react";

// Keys that work wherever the focus is, unless one types.

/** How long a `g` waits for its letter. */
const chordMs = 1500;
let chordUntil = 0;

export const beginChord = (): void => {
  chordUntil = performance.now() + chordMs;
};

/** Whether this key is the second of a chord, which then is over. */
export function endChord(): boolean {
  const isSecond = isInChord();
  chordUntil = 0;
  return isSecond;
}

const isInChord = (): boolean => performance.now() < chordUntil;

const typedIn =
  "input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable], " +
  "[role=dialog], [role=alertdialog], [role=menu], [role=listbox]";

export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(typedIn) !== null;

/** Calls `act` for each key that is pressed alone; it returns whether the key was one of its own. */
export function usePageKeys(act: (event: KeyboardEvent) => boolean): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!isInChord() && !isTyping(event.target) && act(event)) event.preventDefault();
  });
  useEffect(() => {
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}
