import { type Key, type ReactNode, useRef } from "react";
import { classNames } from "./class-names.ts";
import { Link } from "./link.tsx";
import { useRowKeys } from "./row-keys.ts";

export interface Column<T> {
  id: string;
  /** Empty for the column of actions; give it `actionsLabel` then. */
  label: string;
  render: (row: T) => ReactNode;
  align?: "start" | "end";
  /** On a phone, cells after the first share the second line. `labelled` puts the column's label before the value. */
  phone?: "labelled" | "hidden";
  /** Takes what is left, or shares it, and truncates; the others are as wide as their text then. */
  grow?: boolean;
}

export interface SmallTableProps<T> {
  /** Names the table. */
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => Key;
  /** The whole row is a link, whose text is the first cell. */
  rowHref?: (row: T) => string;
  /** Buttons at the end of each row. */
  actions?: (row: T) => ReactNode;
  /** It is the list of its page: j and k move through its rows, Enter opens what a row links to, "." its actions. */
  hasKeys?: boolean;
}

/** A table for up to 200 rows that needs no selection; two-line rows on a phone. Longer lists: VirtualGrid. */
export function SmallTable<T>({ label, columns, rows, rowKey, rowHref, actions, hasKeys = false }: SmallTableProps<T>) {
  const table = useRef<HTMLTableElement>(null);
  useRowKeys(table, hasKeys);
  return (
    <table ref={table} aria-label={label} className="w-full border-collapse text-left max-sm:block">
      <thead className="max-sm:sr-only">
        <tr>
          {columns.map((column) => (
            <th key={column.id} scope="col" className={classNames(headClasses, endOf(column) && "text-right")}>
              {column.label}
            </th>
          ))}
          {actions && (
            <th scope="col" className={headClasses}>
              <span className="sr-only">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody className="max-sm:block max-sm:border-line max-sm:border-t">
        {rows.map((row) => (
          <Row key={rowKey(row)} columns={columns} row={row} href={rowHref?.(row)} actions={actions?.(row)} />
        ))}
      </tbody>
    </table>
  );
}

const headClasses = "h-8 border-line border-b pr-4 font-normal text-meta text-text-3 whitespace-nowrap last:pr-0";

const endOf = <T,>(column: Column<T>): boolean => column.align === "end";

interface RowProps<T> {
  columns: readonly Column<T>[];
  row: T;
  href: string | undefined;
  actions: ReactNode;
}

function Row<T>({ columns, row, href, actions }: RowProps<T>) {
  const classes = classNames(
    "relative border-line border-b max-sm:flex max-sm:flex-wrap max-sm:items-center max-sm:gap-x-3 max-sm:py-2",
    href !== undefined && "hover:bg-sunken",
    actions !== undefined && "max-sm:pr-10",
  );
  return (
    // Focused by the keys of a list.
    <tr tabIndex={-1} className={classes}>
      {columns.map((column, index) => (
        <Cell key={column.id} column={column} isFirst={index === 0} growing={columns.filter(({ grow }) => grow).length}>
          {index === 0 && href !== undefined ? (
            <Link href={href} kind="quiet" className="font-medium after:absolute after:inset-0">
              {column.render(row)}
            </Link>
          ) : (
            column.render(row)
          )}
        </Cell>
      ))}
      {actions !== undefined && (
        <td data-actions className="w-0 py-1 text-right max-sm:absolute max-sm:top-1 max-sm:right-0 max-sm:w-auto">
          <span className="relative inline-flex gap-1">{actions}</span>
        </td>
      )}
    </tr>
  );
}

interface CellProps<T> {
  column: Column<T>;
  isFirst: boolean;
  /** How many columns share what is left; none: cells wrap. */
  growing: number;
  children: ReactNode;
}

const shares: Record<number, string> = { 1: "w-full", 2: "w-1/2", 3: "w-1/3" };

function Cell<T>({ column, isFirst, growing, children }: CellProps<T>) {
  const classes = classNames(
    "h-9 py-1 pr-4 last:pr-0 max-sm:h-auto max-sm:p-0",
    isFirst && "max-sm:w-full",
    endOf(column) && "text-right tabular",
    growing > 0 && "sm:whitespace-nowrap",
    column.grow && shares[growing],
    column.grow && "max-w-0 truncate max-sm:w-auto max-sm:max-w-full",
    column.phone === "hidden" && "max-sm:hidden",
    !isFirst && "max-sm:text-meta max-sm:text-text-2",
  );
  return (
    <td className={classes}>
      {column.phone === "labelled" && <span className="mr-1 text-text-3 sm:hidden">{column.label}</span>}
      {children}
    </td>
  );
}
