import type { RefObject } from "react";
import { usePageKeys } from "./page-keys.ts";

/** The keys of a list for a table, whose rows can be focused. */
export function useRowKeys(table: RefObject<HTMLTableElement | null>, isOn: boolean): void {
  usePageKeys(({ key }) => {
    const rows = isOn ? [...(table.current?.tBodies[0]?.rows ?? [])] : [];
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    if (key === "j" || key === "k") {
      const row = rows[Math.max(0, Math.min(at + (key === "j" ? 1 : -1), rows.length - 1))];
      row?.focus();
      return row !== undefined;
    }
    // Enter on a link or a button is its own.
    const target =
      key === "Enter" && document.activeElement === rows[at] ? "a" : key === "." ? "[data-actions] button" : "";
    const found = target === "" ? undefined : rows[at]?.querySelector<HTMLElement>(target);
    found?.click();
    return found != null;
  });
}
