import { type RefObject, useEffect } from "react";

/** "/" goes to the input, unless one is typing elsewhere or a dialog is open. */
export function useSlash(input: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent): void => {
      const target = event.target as HTMLElement;
      if (event.key !== "/" || event.ctrlKey || event.metaKey || target.isContentEditable) return;
      if (target.closest("input, textarea, select, [role=dialog], [role=alertdialog], [role=menu]")) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [input]);
}
