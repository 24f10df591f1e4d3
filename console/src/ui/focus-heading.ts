import { useEffect } from "react";

/** Where a page begins: its heading. A focus that is there already stays. */
export function focusHeading(): void {
  const target = document.querySelector<HTMLElement>("main h1") ?? document.querySelector<HTMLElement>("main");
  if (target === null || target.contains(document.activeElement)) return;
  if (!target.hasAttribute("tabindex")) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/** What opened a dialog may be gone when it closes, such as the button of a row that was removed: the heading gets the focus then. */
export function useFocusAfterwards(): void {
  useEffect(
    () => () => {
      // The frame after the one in which React Aria gives the focus back.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => document.activeElement === document.body && focusHeading()),
      );
    },
    [],
  );
}
