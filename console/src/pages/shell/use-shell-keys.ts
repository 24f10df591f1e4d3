import { useEffect, useRef } from "react";
import { useNavigate } from "react-router";
import type { ShellDialog } from "./open-dialog.ts";
import { type Place, usePlaces } from "./places.ts";

/** How long a `g` waits for its letter. */
const chordMs = 1500;

interface Dialogs {
  open: (dialog: ShellDialog) => void;
  isOpen: boolean;
}

/** The keys of every page. They rest while one types, and while a dialog or menu is open. */
export function useShellKeys({ open, isOpen }: Dialogs): void {
  const navigate = useNavigate();
  const places = usePlaces();
  const chordUntil = useRef(0);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || isOpen || isTyping(event.target)) return;
      const isSecond = performance.now() < chordUntil.current;
      chordUntil.current = 0;
      if (isPaletteKey(event)) open("palette");
      else if (event.ctrlKey || event.metaKey || event.altKey) return;
      else if (isSecond) goTo(places, event.key, (href) => void navigate(href));
      else if (event.key === "g") chordUntil.current = performance.now() + chordMs;
      else if (event.key === "?") open("keys");
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [navigate, places, open, isOpen]);
}

const isPaletteKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === "k" && ctrlKey !== metaKey && !altKey && !shiftKey;

function goTo(places: readonly Place[], key: string, go: (href: string) => void): void {
  const place = places.find((each) => each.key === key);
  if (place) go(place.href);
}

const typedIn =
  "input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable], " +
  "[role=dialog], [role=alertdialog], [role=menu], [role=listbox]";

const isTyping = (target: EventTarget | null): boolean => target instanceof Element && target.closest(typedIn) !== null;
