import type { LucideIcon } from "lucide-react";
import { Search } from "lucide-react";
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  SearchField,
  Text,
} from "react-aria-components";
import { Kbd } from "./kbd.tsx";
import { optionClasses } from "./options.tsx";
import { Ring } from "./ring.tsx";

export interface PaletteItem {
  id: string;
  label: string;
  /** What tells two of the same name apart: the server of a project. */
  context?: string;
  icon?: LucideIcon;
  href?: string;
  onAction?: () => void;
  /** The keys that do the same: "g p". */
  keys?: string;
  disabledReason?: string | undefined;
}

export interface PaletteGroup {
  title: string;
  items: readonly PaletteItem[];
}

export interface PaletteProps {
  isOpen: boolean;
  onClose: () => void;
  query: string;
  onQuery: (query: string) => void;
  /** What was found for `query`, best first. */
  groups: readonly PaletteGroup[];
  isLoading?: boolean;
  /** Default: "Search or do". */
  placeholder?: string;
}

/**
 * Finds and does things by typing.
 *
 * | key | does |
 * |---|---|
 * | ↓ ↑ | moves; focus stays in the text |
 * | Enter | opens or does it, and closes |
 * | Escape | closes |
 */
export function Palette(props: PaletteProps) {
  const { isOpen, onClose, placeholder = "Search or do" } = props;
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable
      className="float-motion fixed inset-0 z-40 flex items-start justify-center bg-scrim sm:px-6 sm:pt-[12vh]"
    >
      <Modal className="w-full overflow-hidden bg-surface shadow-float max-sm:h-full sm:max-w-xl sm:rounded-dialog sm:border">
        <Dialog aria-label={placeholder} className="flex max-h-full flex-col outline-none">
          <Autocomplete inputValue={props.query} onInputChange={props.onQuery}>
            <SearchField
              aria-label={placeholder}
              autoFocus
              className="flex h-12 items-center gap-3 border-line border-b px-4"
            >
              <Search aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-text-3" />
              <Input
                dir="auto"
                placeholder={placeholder}
                className="min-w-0 grow bg-transparent text-prose outline-none max-sm:text-touch [&::-webkit-search-cancel-button]:hidden"
              />
              {props.isLoading ? <Ring className="text-text-3" /> : <Kbd keys="Esc" />}
            </SearchField>
            <Results {...props} />
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Results({ groups, query, isLoading, onClose }: PaletteProps) {
  return (
    <Menu
      aria-label="Results"
      onClose={onClose}
      className="max-h-[min(60vh,28rem)] overflow-y-auto p-1 outline-none"
      renderEmptyState={() => (
        <p className="px-3 py-6 text-center text-text-2">{isLoading ? "Searching" : `Nothing found for “${query}”`}</p>
      )}
    >
      {groups
        .filter(({ items }) => items.length > 0)
        .map(({ title, items }) => (
          <MenuSection key={title} id={title} className="not-first:mt-1">
            <Header className="px-2 py-1 text-meta text-text-3">{title}</Header>
            {items.map((item) => (
              <Result key={item.id} {...item} />
            ))}
          </MenuSection>
        ))}
    </Menu>
  );
}

function Result({ id, label, context, icon: Icon, href, onAction, keys, disabledReason }: PaletteItem) {
  const isRefused = disabledReason !== undefined;
  return (
    <MenuItem
      id={id}
      textValue={label}
      {...(isRefused ? { shouldCloseOnSelect: false } : { href, onAction })}
      className={optionClasses}
    >
      {Icon && <Icon aria-hidden size={16} strokeWidth={1.75} className="mt-0.5 shrink-0 text-text-3" />}
      <span className="flex min-w-0 grow items-baseline gap-2">
        <Text slot="label" dir="auto" className={isRefused ? "text-text-3" : "truncate"}>
          {label}
        </Text>
        {(disabledReason ?? context) && (
          <Text slot="description" dir="auto" className="truncate text-meta text-text-3">
            {disabledReason ?? context}
          </Text>
        )}
      </span>
      {keys && <Kbd keys={keys} />}
    </MenuItem>
  );
}
