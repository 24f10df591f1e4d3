import type { Style, Terminal } from "./terminal.ts";
import { cut, isolated, safeJson, visible, widthOf } from "./text.ts";

/** `--json`, with the fields that it names; undefined without it. */
export type JsonChoice = { fields: readonly string[] } | undefined;

export interface Column<Item> {
  head: string;
  /** Null and undefined are shown as nothing. */
  of: (item: Item) => string | number | null | undefined;
  style?: (item: Item) => Style | undefined;
  /** May be shortened when the terminal is narrow. The others only when nothing else is left. */
  isLong?: true;
}

interface Cell {
  text: string;
  style: Style | undefined;
}

const gap = 2;
const narrowestColumn = 8;

/** Prints a list: one JSON object, columns on a terminal, or lines with tabs for other programs. */
export function printList<Item extends object>(
  terminal: Terminal,
  json: JsonChoice,
  list: { items: readonly Item[]; columns: readonly Column<Item>[]; empty: string },
): void {
  if (json) {
    printJson(terminal, { data: list.items.map((item) => chosenFields(terminal, item, json)) });
    return;
  }
  if (list.items.length === 0) {
    terminal.note(list.empty);
    return;
  }
  const rows = list.items.map((item) =>
    list.columns.map(({ of, style }): Cell => ({ text: visible(String(of(item) ?? "")), style: style?.(item) })),
  );
  if (!terminal.showsColumns) for (const row of rows) terminal.result(row.map(({ text }) => text).join("\t"));
  else printColumns(terminal, list.columns, rows);
}

function printColumns<Item>(
  terminal: Terminal,
  columns: readonly Column<Item>[],
  rows: readonly (readonly Cell[])[],
): void {
  const wanted = columns.map(({ head }, at) =>
    Math.max(widthOf(head), ...rows.map((row) => widthOf(row[at]?.text ?? ""))),
  );
  const widths = fitted(wanted, columns, terminal.resultColumns);
  if (!widths) {
    printBlocks(terminal, columns, rows);
    return;
  }
  const line = (cells: readonly Cell[]) =>
    cells.map((cell, at) => cellText(terminal, cell, widths[at] ?? 0, at === cells.length - 1)).join(" ".repeat(gap));
  terminal.result(line(columns.map(({ head }) => ({ text: head, style: "dim" }))));
  for (const row of rows) terminal.result(line(row).trimEnd());
}

/** The widths of the columns: long ones give way first. Undefined if the terminal is too narrow for a line. */
export function fitted(
  wanted: readonly number[],
  columns: readonly { isLong?: true }[],
  available: number,
): number[] | undefined {
  const widths = [...wanted];
  const total = () => widths.reduce((sum, width) => sum + width, gap * (widths.length - 1));
  for (const isFirst of [true, false]) {
    while (total() > available) {
      const candidates = widths.map((width, at) => (columns[at]?.isLong === isFirst || !isFirst ? width : 0));
      const widest = Math.max(...candidates);
      if (widest <= narrowestColumn) break;
      widths[candidates.indexOf(widest)] = widest - 1;
    }
  }
  return total() > available ? undefined : widths;
}

function cellText(terminal: Terminal, { text, style }: Cell, width: number, isLast: boolean): string {
  const shown = cut(text, width);
  const padding = isLast ? "" : " ".repeat(Math.max(0, width - widthOf(shown)));
  return (style ? terminal.style(style, isolated(shown), "result") : isolated(shown)) + padding;
}

/** One field under the other, where a line would be too long. */
function printBlocks<Item>(
  terminal: Terminal,
  columns: readonly Column<Item>[],
  rows: readonly (readonly Cell[])[],
): void {
  for (const [index, row] of rows.entries()) {
    if (index > 0) terminal.result("");
    printFields(
      terminal,
      columns.map(({ head }, at) => [head, row[at]?.text ?? ""]),
    );
  }
}

/** Names and values below each other. */
export function printFields(
  terminal: Terminal,
  fields: readonly (readonly [string, string | number | null | undefined])[],
): void {
  const given = fields.filter(([, value]) => value !== null && value !== undefined && value !== "");
  const width = Math.max(...given.map(([name]) => widthOf(name)));
  for (const [name, value] of given) {
    const shown = visible(String(value));
    if (!terminal.showsColumns) terminal.result(`${name}\t${shown}`);
    else terminal.result(`${terminal.style("dim", name.padEnd(width), "result")}  ${isolated(shown)}`);
  }
}

/** Prints a record: one JSON object, or its fields. */
export function printRecord(
  terminal: Terminal,
  json: JsonChoice,
  record: object,
  fields: readonly (readonly [string, string | number | null | undefined])[],
): void {
  if (json) printJson(terminal, chosenFields(terminal, record, json));
  else printFields(terminal, fields);
}

export const printJson = (terminal: Terminal, value: object): void => terminal.result(safeJson(value));

/** The fields that `--json=a,b.c` names; all of them without names. An unknown field is null, and noted. */
export function chosenFields(terminal: Terminal, record: object, json: NonNullable<JsonChoice>): object {
  if (json.fields.length === 0) return record;
  return Object.fromEntries(
    json.fields.map((path) => {
      const value = path.split(".").reduce<unknown>((part, key) => (isObject(part) ? part[key] : undefined), record);
      if (value === undefined)
        terminal.note(`There is no field ${visible(path)}. There are: ${Object.keys(record).join(", ")}`);
      return [path, value ?? null];
    }),
  );
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
