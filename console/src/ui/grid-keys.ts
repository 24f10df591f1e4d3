/** What a key does in a list of rows. */
export type GridAct =
  | { act: "move"; to: number }
  | { act: "open"; newTab: boolean }
  | { act: "select" }
  | { act: "selectAll" }
  | { act: "actions" };

interface Position {
  index: number;
  count: number;
  /** Rows on screen. */
  page: number;
}

interface Key {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** Undefined: the key is not one of the grid's. */
export function actOf({ key, ctrlKey, metaKey, altKey }: Key, { index, count, page }: Position): GridAct | undefined {
  const modified = ctrlKey || metaKey;
  if (altKey) return undefined;
  if (key === "Enter") return { act: "open", newTab: modified };
  if (modified) return key === "a" ? { act: "selectAll" } : undefined;
  if (key === "x" || key === " ") return { act: "select" };
  if (key === ".") return { act: "actions" };
  const target = targets[key]?.({ index, count, page });
  return target === undefined ? undefined : { act: "move", to: Math.max(0, Math.min(target, count - 1)) };
}

const down = ({ index }: Position): number => index + 1;
const up = ({ index }: Position): number => index - 1;

const targets: Record<string, (position: Position) => number> = {
  ArrowDown: down,
  j: down,
  ArrowUp: up,
  k: up,
  PageDown: ({ index, page }) => index + page,
  PageUp: ({ index, page }) => index - page,
  Home: () => 0,
  End: ({ count }) => count - 1,
};
