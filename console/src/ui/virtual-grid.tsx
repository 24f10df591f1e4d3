// biome-ignore-all lint/a11y/useSemanticElements: rows are positioned one by one, which those of a table cannot be.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid alone has the focus, and names the row that is active.
import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { ChevronDown, ChevronUp } from "lucide-react";
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { classNames } from "./class-names.ts";
import { actOf, type GridAct } from "./grid-keys.ts";
import { type GridColumn, GridRow, SelectBox } from "./grid-row.tsx";
import { useHeightLeft } from "./height-left.ts";
import { usePhone } from "./media.ts";
import { usePageKeys } from "./page-keys.ts";

export type RowKey = string | number;

export interface GridSort {
  key: string;
  direction: "ascending" | "descending";
}

export interface VirtualGridProps<T> {
  /** Names the grid. */
  label: string;
  columns: readonly GridColumn<T>[];
  rows: readonly T[];
  rowKey: (row: T) => RowKey;
  /** The whole row is a link. */
  rowHref?: (row: T) => string | undefined;
  /** A Menu in a compact IconButton. */
  actions?: (row: T) => ReactNode;
  /** Both, or rows cannot be selected. */
  selected?: ReadonlySet<RowKey>;
  onSelect?: (selected: ReadonlySet<RowKey>) => void;
  sort?: GridSort | undefined;
  onSort?: (sort: GridSort) => void;
  /** How many there are, if `rows` are only the first of them. */
  total?: number;
  /** The last of `rows` is near: read more. */
  onReachEnd?: () => void;
  /** Which of `rows` are on screen, both ends included: a list that is read where one looks at it reads these. */
  onRange?: (range: { first: number; last: number }) => void;
  /** Rows of 32 px instead of 40. */
  dense?: boolean;
  /** What further keys do with the active row. */
  rowKeys?: Record<string, (row: T) => void>;
}

const headHeight = 32;
const phoneRowHeight = 56;

/**
 * A long list: only the rows on screen are in the page. It takes the height that the window has left, and scrolls within.
 * `columns`, `rowKey`, `rowHref` and `actions` have to stay the same from one render to the next, or all rows render again.
 *
 * | key | does |
 * |---|---|
 * | Tab | to the grid, and past it |
 * | ↓ ↑, j k, PageDown PageUp, Home End | moves |
 * | Enter, Ctrl-Enter | opens the row, in a new tab |
 * | x, Space | selects; Ctrl-a selects all; Shift-press on a box selects up to it |
 * | . | opens the row's actions |
 *
 * j k x . and `rowKeys` also work while the focus is elsewhere on the page: the first j or k shows the active row.
 */
export function VirtualGrid<T>(given: VirtualGridProps<T>) {
  const grid = useRef<HTMLDivElement>(null);
  const columns = useFittingColumns(given, grid);
  const props = { ...given, columns };
  const { rows, actions, selected } = props;
  const id = useId();
  const isPhone = usePhone();
  const [active, setActive] = useActive(props);
  const maxHeight = useHeightLeft(grid, "20rem");
  const virtual = useRows({ props, grid, active, isPhone });
  const { onPageKey, ...handlers } = useHandlers({ props, grid, active, setActive, virtual });
  usePageKeys(onPageKey);
  const template = [selected && "24px", ...columns.map(({ width }) => width), actions && "36px"]
    .filter(Boolean)
    .join(" ");
  return (
    <div
      ref={grid}
      role="grid"
      aria-label={props.label}
      aria-rowcount={(props.total ?? rows.length) + 1}
      aria-colcount={columns.length + (selected ? 1 : 0) + (actions ? 1 : 0)}
      aria-multiselectable={selected ? true : undefined}
      aria-activedescendant={rows.length > 0 ? `${id}-${active}` : undefined}
      tabIndex={0}
      style={{ maxHeight }}
      className="group/grid relative min-h-40 overflow-auto outline-none"
      {...handlers}
    >
      <Head {...props} template={template} isPhone={isPhone} />
      <Body {...props} id={id} active={active} template={template} isPhone={isPhone} virtual={virtual} />
    </div>
  );
}

interface BodyProps<T> extends VirtualGridProps<T> {
  id: string;
  active: number;
  template: string;
  isPhone: boolean;
  virtual: Rows;
}

/** The rows on screen, each at its place in the height of all. */
function Body<T>({ id, active, template, isPhone, virtual, ...props }: BodyProps<T>) {
  const { rows, rowKey, rowHref, columns, selected, actions } = props;
  return (
    <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, start, size }) => {
        const row = rows[index] as T;
        return (
          <GridRow
            key={rowKey(row)}
            id={`${id}-${index}`}
            row={row}
            index={index}
            start={start - virtual.options.scrollMargin}
            height={size}
            columns={columns}
            template={template}
            href={rowHref?.(row)}
            isActive={index === active}
            isPhone={isPhone}
            isSelected={selected?.has(rowKey(row))}
            actions={actions}
          />
        );
      })}
    </div>
  );
}

/** The index of the active row, which stays on its record when others come before it. */
function useActive<T>({ rows, rowKey }: VirtualGridProps<T>): [number, (index: number) => void] {
  const [active, setActive] = useState<{ key: RowKey | undefined; index: number }>({ key: undefined, index: 0 });
  const at = rows[active.index];
  const isThere = at !== undefined && rowKey(at) === active.key;
  const found =
    isThere || active.key === undefined ? active.index : rows.findIndex((row) => rowKey(row) === active.key);
  const index = Math.max(0, Math.min(found < 0 ? active.index : found, rows.length - 1));
  const move = (to: number): void => {
    const row = rows[to];
    setActive({ key: row === undefined ? undefined : rowKey(row), index: to });
  };
  return [index, move];
}

const columnGap = 16;

/** Those that fit beside each other; all on a phone, where they are below each other. */
function useFittingColumns<T>(
  { columns, selected, actions }: VirtualGridProps<T>,
  grid: RefObject<HTMLDivElement | null>,
): readonly GridColumn<T>[] {
  const isPhone = usePhone();
  const width = useWidth(grid);
  const others = (selected ? 24 + columnGap : 0) + (actions ? 36 + columnGap : 0);
  const shown = columns.filter(({ phone }) => isPhone || phone !== "only");
  const kept = isPhone || width === undefined ? shown : columnsThatFit(shown, width - others);
  const names = kept.map(({ id }) => id).join(" ");
  // The same columns are the same list, or all rows would render again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `kept` follows from these.
  return useMemo(() => kept, [columns, names]);
}

function columnsThatFit<T>(columns: readonly GridColumn<T>[], width: number): readonly GridColumn<T>[] {
  const least = columns.reduce((sum, { width: track }) => sum + leastOf(track) + columnGap, -columnGap);
  const dropped = columns.filter(({ drop }) => drop !== undefined).sort((a, b) => (a.drop ?? 0) - (b.drop ?? 0))[0];
  if (least <= width || !dropped) return columns;
  return columnsThatFit(
    columns.filter((column) => column !== dropped),
    width,
  );
}

/** The first length of a track: 120 of "120px", 160 of "minmax(160px, 2fr)". */
const leastOf = (track: string): number => Number(/\d+/.exec(track)?.[0] ?? 0);

function useWidth(element: RefObject<HTMLElement | null>): number | undefined {
  const [width, setWidth] = useState<number>();
  useLayoutEffect(() => {
    const observed = element.current;
    if (!observed) return;
    const measure = () => setWidth(observed.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(observed);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

type Rows = Virtualizer<HTMLDivElement, Element>;

interface RowsInput<T> {
  props: VirtualGridProps<T>;
  grid: RefObject<HTMLDivElement | null>;
  active: number;
  isPhone: boolean;
}

function useRows<T>({ props, grid, active, isPhone }: RowsInput<T>): Rows {
  const { rows, dense, onReachEnd, onRange } = props;
  const height = isPhone ? phoneRowHeight : dense ? 32 : 40;
  const head = isPhone ? 0 : headHeight;
  const virtual = useVirtualizer<HTMLDivElement, Element>({
    count: rows.length,
    getScrollElement: () => grid.current,
    estimateSize: () => height,
    overscan: 4,
    scrollMargin: head,
    scrollPaddingStart: head,
    // The active row stays in the page, since aria-activedescendant names it.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      return shown.includes(active) || active >= rows.length ? shown : [...shown, active].sort((a, b) => a - b);
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height is why it has to measure.
  useLayoutEffect(() => virtual.measure(), [height, virtual]);
  const first = virtual.range?.startIndex ?? 0;
  const last = virtual.range?.endIndex ?? 0;
  // Before the paint: what is read there is asked for a frame earlier.
  useLayoutEffect(() => onRange?.({ first, last }), [first, last, onRange]);
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - 20) onReachEnd?.();
  }, [last, rows.length, onReachEnd]);
  return virtual;
}

interface HandlersInput<T> {
  props: VirtualGridProps<T>;
  grid: RefObject<HTMLDivElement | null>;
  active: number;
  setActive: (index: number) => void;
  virtual: Rows;
}

function useHandlers<T>({ props, grid, active, setActive, virtual }: HandlersInput<T>) {
  const selection = useSelection(props);
  // A menu that "." opened gives the focus back to its button; it belongs to the grid.
  const hasOpenedActions = useRef(false);
  const find = (selector: string) => grid.current?.querySelector<HTMLElement>(`[data-row="${active}"] ${selector}`);
  const acts: { [Name in GridAct["act"]]: (act: Extract<GridAct, { act: Name }>) => void } = {
    move: ({ to }) => {
      setActive(to);
      virtual.scrollToIndex(to);
    },
    open: ({ newTab }) => click(find("[data-open]"), newTab),
    select: () => selection.toggle(active),
    selectAll: selection.all,
    actions: () => {
      hasOpenedActions.current = true;
      find("[data-actions] button")?.click();
    },
  };
  /** Whether the key is one of the grid's. */
  const press = (event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">): boolean => {
    hasOpenedActions.current = false;
    const own = event.ctrlKey || event.metaKey || event.altKey ? undefined : props.rowKeys?.[event.key];
    const act = actOf(event, { index: active, count: props.rows.length, page: rowsOnScreen(virtual) });
    if (own) own(props.rows[active] as T);
    else if (act) (acts[act.act] as (each: GridAct) => void)(act);
    return own !== undefined || act !== undefined;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target === grid.current && props.rows.length > 0 && press(event)) event.preventDefault();
  };
  const onPageKey = (event: globalThis.KeyboardEvent): boolean => {
    if (event.target === grid.current || props.rows.length === 0 || !isPageKey(event.key, props)) return false;
    grid.current?.focus({ preventScroll: true });
    return moves.has(event.key) || press(event);
  };
  const onFocus = ({ target }: FocusEvent): void => {
    if (hasOpenedActions.current && target !== grid.current && grid.current?.contains(target)) grid.current.focus();
  };
  return { onKeyDown, onPageKey, onFocus, onClick: clickHandler(setActive, selection.toggle) };
}

const moves: ReadonlySet<string> = new Set(["j", "k"]);

const isPageKey = <T,>(key: string, { rowKeys = {} }: VirtualGridProps<T>): boolean =>
  moves.has(key) || key === "x" || key === "." || key in rowKeys;

const clickHandler =
  (setActive: (index: number) => void, toggle: (index: number, isRange: boolean) => void) =>
  ({ target, shiftKey }: MouseEvent): void => {
    const row = (target as HTMLElement).closest<HTMLElement>("[data-row]");
    if (!row) return;
    const index = Number(row.dataset.row);
    setActive(index);
    if ((target as HTMLElement).closest("[data-select]")) toggle(index, shiftKey);
  };

/** One less than there are, so that the last row of a page is the first of the next. */
const rowsOnScreen = ({ scrollRect, options }: Rows): number =>
  Math.max(1, Math.floor((scrollRect?.height ?? 0) / options.estimateSize(0)) - 2);

/** As a click would, with Ctrl for a new tab. */
function click(link: HTMLElement | null | undefined, newTab: boolean): void {
  link?.dispatchEvent(
    new window.MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey: newTab, metaKey: newTab }),
  );
}

function useSelection<T>({ rows, rowKey, selected, onSelect }: VirtualGridProps<T>) {
  const lastToggled = useRef(0);
  const toggle = (index: number, isRange = false): void => {
    if (!selected) return;
    const [from, to] = isRange ? [lastToggled.current, index].sort((a, b) => a - b) : [index, index];
    const keys = rows.slice(from, (to ?? index) + 1).map(rowKey);
    const next = new Set(selected);
    const isAdding = !selected.has(rowKey(rows[index] as T));
    for (const key of keys) isAdding ? next.add(key) : next.delete(key);
    lastToggled.current = index;
    onSelect?.(next);
  };
  const all = (): void => onSelect?.(new Set(rows.map(rowKey)));
  return { toggle, all };
}

function Head<T>(props: VirtualGridProps<T> & { template: string; isPhone: boolean }) {
  const { columns, rows, selected, onSelect, actions, template, isPhone, rowKey } = props;
  const isAll = selected !== undefined && rows.length > 0 && rows.every((row) => selected.has(rowKey(row)));
  return (
    <div role="rowgroup" className={isPhone ? "sr-only" : "sticky top-0 z-20 bg-bg"}>
      <div
        role="row"
        aria-rowindex={1}
        style={{ gridTemplateColumns: template, height: headHeight }}
        className="grid items-center gap-4 border-line border-b text-meta text-text-3"
      >
        {selected && (
          <div role="columnheader">
            <button
              type="button"
              tabIndex={-1}
              aria-label={isAll ? "Select none" : "Select all"}
              onClick={() => onSelect?.(new Set(isAll ? [] : rows.map(rowKey)))}
              className="flex size-6 cursor-pointer items-center justify-center"
            >
              <SelectBox isSelected={isAll} />
            </button>
          </div>
        )}
        {columns.map((column) => (
          <HeadCell key={column.id} column={column} sort={props.sort} onSort={props.onSort} />
        ))}
        {actions && (
          <div role="columnheader">
            <span className="sr-only">Actions</span>
          </div>
        )}
      </div>
    </div>
  );
}

interface HeadCellProps<T> {
  column: GridColumn<T>;
  sort: GridSort | undefined;
  onSort: ((sort: GridSort) => void) | undefined;
}

/** Sorts at a press. By the keyboard one sorts in the FilterBar: the grid is one tab stop. */
function HeadCell<T>({ column, sort, onSort }: HeadCellProps<T>) {
  const { label, align, sort: key } = column;
  const direction = key !== undefined && sort?.key === key ? sort.direction : undefined;
  const Icon = direction === "ascending" ? ChevronUp : ChevronDown;
  const next = direction === "ascending" ? "descending" : "ascending";
  return (
    <div role="columnheader" aria-sort={direction} className={classNames("truncate", align === "end" && "text-right")}>
      {key === undefined || !onSort ? (
        label
      ) : (
        <button
          type="button"
          tabIndex={-1}
          onClick={() => onSort({ key, direction: next })}
          className="inline-flex cursor-pointer items-center gap-1 hover:text-text"
        >
          {label}
          {direction && <Icon aria-hidden size={12} strokeWidth={2} />}
        </button>
      )}
    </div>
  );
}
