import { type Group, groupOfLine, isOpen } from "./groups.ts";

// The rows that are shown of a log: the heads of groups, and the lines of those that are open. A browser allows an element of some
// 17 million pixels, which a million lines exceed: a long log is shown in segments.

export const segmentLines = 500_000;
export const height = { line: 18, other: 28 };

export type Row =
  | { kind: "line"; line: number }
  | { kind: "group"; group: Group; isOpen: boolean }
  | { kind: "reason"; group: Group }
  | { kind: "earlier" | "later" | "end" };

type Block = Exclude<Row, { kind: "line" }> | { kind: "lines"; from: number; to: number };

export interface Rows {
  count: number;
  at(index: number): Row;
  /** The row of a line; undefined: its group is folded, or it is in another segment. */
  indexOf(line: number): number | undefined;
  indexOfGroup(group: number): number | undefined;
}

export interface Shown {
  groups: readonly Group[];
  total: number;
  /** Groups that the reader has opened or folded. */
  chosen: ReadonlyMap<number, boolean>;
  /** From 0. */
  segment: number;
  /** Nothing will be added. */
  isComplete: boolean;
}

const segmentOf = (line: number): number => Math.floor((line - 1) / segmentLines);

export const lastSegment = (total: number): number => segmentOf(Math.max(1, total));

export function rowsOf(shown: Shown): Rows {
  const blocks = blocksOf(shown);
  const starts: number[] = [];
  let count = 0;
  for (const block of blocks) {
    starts.push(count);
    count += sizeOf(block);
  }
  return {
    count,
    at: (index) => {
      const place = placeOf(starts, index);
      const block = blocks[place] as Block;
      return block.kind === "lines" ? { kind: "line", line: block.from + index - (starts[place] ?? 0) } : block;
    },
    indexOf: (line) => {
      const place = blocks.findIndex((block) => block.kind === "lines" && block.from <= line && line <= block.to);
      const block = blocks[place];
      return block?.kind === "lines" ? (starts[place] ?? 0) + line - block.from : undefined;
    },
    indexOfGroup: (group) => {
      const place = blocks.findIndex((block) => block.kind === "group" && block.group.index === group);
      return place === -1 ? undefined : starts[place];
    },
  };
}

function blocksOf({ groups, total, chosen, segment, isComplete }: Shown): Block[] {
  const first = segment * segmentLines + 1;
  const last = Math.min(total, first + segmentLines - 1);
  const lines = (from: number, to: number): Block[] => {
    const [low, high] = [Math.max(from, first), Math.min(to, last)];
    return low > high ? [] : [{ kind: "lines", from: low, to: high }];
  };
  const firstOfGroups = Math.min(total + 1, ...groups.flatMap(({ from }) => from ?? []));
  const ofGroups = groups.flatMap((group): Block[] => {
    const own = group.from === undefined ? [] : lines(group.from, group.to ?? total);
    // A group without lines is where the one before it is.
    const isHere = group.from === undefined ? isNear(groups, group, first, last) : own.length > 0;
    if (!isHere) return [];
    const open = isOpen(group, chosen);
    const reason: Block[] = group.status === "failed" && group.detail ? [{ kind: "reason", group }] : [];
    return [{ kind: "group", group, isOpen: open }, ...reason, ...(open ? own : [])];
  });
  return [
    ...(segment > 0 ? [{ kind: "earlier" } as const] : []),
    ...lines(1, firstOfGroups - 1),
    ...ofGroups,
    ...(last < total ? [{ kind: "later" } as const] : []),
    ...(last === total && isComplete && total > 0 ? [{ kind: "end" } as const] : []),
  ];
}

function isNear(groups: readonly Group[], group: Group, first: number, last: number): boolean {
  const before = groups.findLast(({ index, from }) => index < group.index && from !== undefined);
  const line = before?.to ?? 1;
  return first <= line && line <= Math.max(last, 1);
}

const sizeOf = (block: Block): number => (block.kind === "lines" ? block.to - block.from + 1 : 1);

/** The last of the ascending starts that is not after the index. */
function placeOf(starts: readonly number[], index: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** What has to change so that a line is shown. */
export function reveal(line: number, { groups, chosen }: Pick<Shown, "groups" | "chosen">) {
  const group = groupOfLine(groups, line);
  const opened = group && !isOpen(group, chosen) ? new Map([...chosen, [group.index, true]]) : chosen;
  return { segment: segmentOf(line), chosen: opened };
}
