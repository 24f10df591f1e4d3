// biome-ignore-all lint/a11y/useSemanticElements: rows are positioned one by one, which those of a table cannot be.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid alone has the focus, and names the row that is active.
import { type ComponentProps, memo, type ReactNode } from "react";
import { Link as AriaLink } from "react-aria-components";
import { classNames } from "./class-names.ts";

export interface GridColumn<T> {
  id: string;
  label: string;
  /** A track of CSS grid: "120px", "minmax(160px, 2fr)". */
  width: string;
  render: (row: T) => ReactNode;
  align?: "start" | "end";
  /**
   * On a phone the first column is the first line; the others share the second. `end` is at the end of the first, `only` is
   * nowhere else.
   */
  phone?: "end" | "hidden" | "only";
  /** Left out where not all columns fit: the one with the lowest number first. */
  drop?: number;
  /** The key of `sort` that a press on the head asks for. */
  sort?: string;
}

export interface GridRowProps<T> {
  id: string;
  row: T;
  /** From 0, below the head. */
  index: number;
  /** Pixels from the top of the list. */
  start: number;
  height: number;
  columns: readonly GridColumn<T>[];
  template: string;
  href: string | undefined;
  isActive: boolean;
  isPhone: boolean;
  /** Undefined: rows cannot be selected. */
  isSelected: boolean | undefined;
  actions: ((row: T) => ReactNode) | undefined;
}

/** A row of VirtualGrid, which handles its keys and presses. */
export const GridRow = memo(GridRowOfAny) as typeof GridRowOfAny;

function GridRowOfAny<T>(props: GridRowProps<T>) {
  const { id, index, start, height, template, href, isActive, isPhone, isSelected } = props;
  return (
    <div
      role="row"
      id={id}
      data-row={index}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      style={{ height, transform: `translateY(${start}px)`, gridTemplateColumns: isPhone ? undefined : template }}
      className={classNames(
        "absolute inset-x-0 top-0 border-line border-b",
        isPhone ? "flex items-center gap-2" : "grid items-center gap-4",
        href !== undefined && "hover:bg-sunken",
        isSelected && "bg-run-bg",
        isActive && "group-focus-visible/grid:outline-2 -outline-offset-2 outline-focus",
      )}
    >
      {isSelected !== undefined && <SelectCell isSelected={isSelected} />}
      {isPhone ? <TwoLines {...props} /> : <Cells {...props} />}
      {props.actions && (
        <div role="gridcell" data-actions className="relative z-10 flex shrink-0 justify-end">
          {props.actions(props.row)}
        </div>
      )}
    </div>
  );
}

/** Pressed, it selects; the grid sees to that. */
function SelectCell({ isSelected }: { isSelected: boolean }) {
  return (
    <div
      role="gridcell"
      data-select
      className="relative z-10 flex size-6 shrink-0 cursor-pointer items-center justify-center"
    >
      <SelectBox isSelected={isSelected} />
    </div>
  );
}

/** A box with a tick, only to look at: the state is `aria-selected` of the row. */
export function SelectBox({ isSelected }: { isSelected: boolean }) {
  return (
    <span
      aria-hidden
      className={classNames(
        "flex size-4 items-center justify-center rounded-control border text-bg",
        isSelected ? "border-text bg-text" : "border-control bg-surface",
      )}
    >
      {isSelected && (
        <svg
          viewBox="0 0 12 12"
          width="12"
          height="12"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          aria-hidden="true"
        >
          <path d="m2.5 6.5 2.5 2.5 4.5-5.5" />
        </svg>
      )}
    </span>
  );
}

function Cells<T>({ columns, row, href }: GridRowProps<T>) {
  return columns.map((column, index) => (
    <div
      key={column.id}
      role="gridcell"
      className={classNames("min-w-0 truncate", column.align === "end" && "text-right tabular")}
    >
      {index === 0 ? <RowLink href={href}>{column.render(row)}</RowLink> : column.render(row)}
    </div>
  ));
}

function TwoLines<T>({ columns, row, href }: GridRowProps<T>) {
  const [first, ...others] = columns;
  const end = others.find(({ phone }) => phone === "end");
  const second = others.filter(({ phone }) => phone === undefined || phone === "only");
  if (!first) return null;
  return (
    <div role="presentation" className="flex min-w-0 grow flex-col">
      <div role="presentation" className="flex items-center gap-3">
        <div role="gridcell" className="min-w-0 grow truncate">
          <RowLink href={href}>{first.render(row)}</RowLink>
        </div>
        {end && (
          <div role="gridcell" className="shrink-0">
            {end.render(row)}
          </div>
        )}
      </div>
      <div role="presentation" className="flex min-w-0 gap-3 truncate text-meta text-text-2">
        {second.map((column) => (
          <div key={column.id} role="gridcell" className={column.align === "end" ? "ml-auto shrink-0" : "truncate"}>
            {column.render(row)}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Covers the row, so that Ctrl-click and the middle button open a tab anywhere on it. */
function RowLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (href === undefined) return <span className="font-medium">{children}</span>;
  return (
    <AriaLink
      href={href}
      data-open
      // The grid is the only tab stop.
      render={(props) => <a {...(props as ComponentProps<"a">)} tabIndex={-1} />}
      className="cursor-pointer font-medium after:absolute after:inset-0"
    >
      {children}
    </AriaLink>
  );
}
