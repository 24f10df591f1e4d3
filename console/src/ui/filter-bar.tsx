import { Check, ChevronDown, Search, X } from "lucide-react";
import { type ReactNode, useRef } from "react";
import {
  Autocomplete,
  Input,
  Menu,
  MenuItem,
  MenuTrigger,
  Popover,
  SearchField,
  useFilter,
} from "react-aria-components";
import { Button } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { inputClasses } from "./field.tsx";
import { IconButton } from "./icon-button.tsx";
import { optionClasses } from "./options.tsx";
import { useSlash } from "./use-slash.ts";

export interface FilterOption {
  id: string;
  label: string;
  /** How many rows it would leave. */
  count?: number;
}

export interface Filter {
  id: string;
  label: string;
  options: readonly FilterOption[];
  selected: readonly string[];
  /** One at most, such as the order. */
  single?: boolean;
}

export interface FilterBarProps {
  /** Names the search: "Filter projects". */
  label: string;
  query: string;
  onQuery: (query: string) => void;
  filters?: readonly Filter[];
  onFilter?: (id: string, selected: string[]) => void;
  /** Shown while anything is filtered. */
  onReset?: () => void;
  /** At the end: "128 of 10,000 projects". Read out when it changes. */
  count?: ReactNode;
  /** Before the count: display options, actions on what is selected. */
  children?: ReactNode;
}

/**
 * Above a list: text, filters, and how many are left. Their values belong in the address.
 *
 * | key | does |
 * |---|---|
 * | / | goes to the text |
 * | Escape | empties it |
 */
export function FilterBar(props: FilterBarProps) {
  const { filters = [], onFilter, onReset, count, children } = props;
  const isFiltered = props.query !== "" || filters.some(({ selected, single }) => !single && selected.length > 0);
  return (
    <search className="flex flex-wrap items-center gap-2">
      <Query {...props} />
      {filters.map((filter) => (
        <FilterMenu key={filter.id} filter={filter} onChange={(selected) => onFilter?.(filter.id, selected)} />
      ))}
      {onReset && isFiltered && (
        <Button kind="quiet" onPress={onReset}>
          Reset
        </Button>
      )}
      <div className="ml-auto flex items-center gap-3">
        {children}
        <span role="status" className="text-text-3 tabular">
          {count}
        </span>
      </div>
    </search>
  );
}

function Query({ label, query, onQuery }: FilterBarProps) {
  const input = useRef<HTMLInputElement>(null);
  useSlash(input);
  return (
    <SearchField
      aria-label={label}
      value={query}
      onChange={onQuery}
      className={classNames(inputClasses, "flex h-8 items-center gap-2 pr-0.5 sm:w-64 pointer-coarse:h-10")}
    >
      <Search aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-text-3" />
      <Input
        ref={input}
        dir="auto"
        placeholder={label}
        className="min-w-0 grow bg-transparent outline-none [&::-webkit-search-cancel-button]:hidden"
      />
      {query !== "" && <IconButton label="Empty" icon={X} compact />}
    </SearchField>
  );
}

function FilterMenu({ filter, onChange }: { filter: Filter; onChange: (selected: string[]) => void }) {
  const { label, options, selected, single } = filter;
  const words = options.filter(({ id }) => selected.includes(id)).map((option) => option.label);
  return (
    <MenuTrigger>
      <Button className={words.length > 0 ? undefined : "text-text-2"}>
        {label}
        {words.length > 0 && <span className="max-w-40 truncate font-normal">{summary(words)}</span>}
        <ChevronDown aria-hidden size={16} strokeWidth={1.75} className="-mr-1 text-text-3" />
      </Button>
      <Popover offset={4} className="float-motion z-50 w-64 rounded-panel border bg-surface shadow-float">
        <Searchable label={label} isSearchable={options.length > 10}>
          <Menu
            aria-label={label}
            items={options}
            selectionMode={single ? "single" : "multiple"}
            escapeKeyBehavior="none"
            selectedKeys={selected}
            onSelectionChange={(keys) => onChange(keys === "all" ? options.map(({ id }) => id) : [...keys].map(String))}
            className="max-h-80 overflow-y-auto p-1 outline-none"
            renderEmptyState={() => <p className="px-2 py-1.5 text-text-3">Nothing found</p>}
          >
            {(option) => <FilterMenuItem {...option} />}
          </Menu>
        </Searchable>
      </Popover>
    </MenuTrigger>
  );
}

const summary = (words: readonly string[]): string => (words.length > 2 ? `${words.length} chosen` : words.join(", "));

function Searchable({ label, isSearchable, children }: { label: string; isSearchable: boolean; children: ReactNode }) {
  const { contains } = useFilter({ sensitivity: "base" });
  if (!isSearchable) return children;
  return (
    <Autocomplete filter={contains}>
      <SearchField aria-label={`Find in ${label}`} autoFocus className="border-line border-b p-1">
        <Input
          placeholder="Find"
          className="h-8 w-full bg-transparent px-2 outline-none [&::-webkit-search-cancel-button]:hidden"
        />
      </SearchField>
      {children}
    </Autocomplete>
  );
}

function FilterMenuItem({ id, label, count }: FilterOption) {
  return (
    <MenuItem id={id} textValue={label} className={optionClasses}>
      {({ isSelected }) => (
        <>
          <span className="flex size-5 shrink-0 items-center justify-center">
            {isSelected && <Check aria-hidden size={16} strokeWidth={1.75} />}
          </span>
          <span dir="auto" className="min-w-0 grow truncate">
            {label}
          </span>
          {count !== undefined && <span className="text-text-3 tabular">{count}</span>}
        </>
      )}
    </MenuItem>
  );
}
