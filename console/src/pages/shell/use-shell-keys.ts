import { useEffect } from "react";
import { useNavigate } from "react-router";
import { beginChord, endChord, isTyping } from "../../ui/page-keys.ts";
import type { ShellDialog } from "./open-dialog.ts";
import { type Place, usePlaces } from "./places.ts";

interface Dialogs {
  open: (dialog: ShellDialog) => void;
  isOpen: boolean;
}

/** The keys of every page. They rest while one types, and while a dialog or menu is open. */
export function useShellKeys({ open, isOpen }: Dialogs): void {
  const navigate = useNavigate();
  const places = usePlaces();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || isOpen || isTyping(event.target)) return;
      const isSecond = endChord();
      if (isPaletteKey(event)) open("palette");
      else if (event.ctrlKey || event.metaKey || event.altKey) return;
      else if (isSecond) goTo(places, event.key, (href) => void navigate(href));
      else if (event.key === "g") beginChord();
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
