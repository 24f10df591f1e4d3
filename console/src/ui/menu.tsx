import type { LucideIcon } from "lucide-react";
import type { ReactElement } from "react";
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuSection as AriaMenuSection,
  Header,
  MenuTrigger,
  Popover,
  Text,
} from "react-aria-components";
import { classNames } from "./class-names.ts";

export interface MenuItem {
  id: string;
  /** Verb and noun. */
  label: string;
  icon?: LucideIcon;
  /** A link instead of an action. */
  href?: string;
  onAction?: () => void;
  danger?: boolean;
  /** Why it cannot be done now, shown below the label. */
  disabledReason?: string | undefined;
}

export interface MenuSection {
  title?: string;
  items: readonly MenuItem[];
}

export interface MenuProps {
  /** Names the menu: "Actions of Shop". */
  label: string;
  /** A Button or IconButton, which opens it. */
  trigger: ReactElement;
  /** Separated by lines; dangerous items belong in the last. */
  sections: readonly MenuSection[];
}

/**
 * Actions behind a button. Refused ones can be reached and show why.
 *
 * | key | does |
 * |---|---|
 * | Enter, Space, ↓ on the button | opens it |
 * | ↑ ↓ Home End, letters | moves |
 * | Enter, Space | acts and closes |
 * | Escape | closes |
 */
export function Menu({ label, trigger, sections }: MenuProps) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover offset={4} className="float-motion z-50 min-w-52 max-w-80 rounded-panel border bg-surface shadow-float">
        <AriaMenu aria-label={label} className="max-h-[inherit] overflow-y-auto outline-none">
          {sections.map((section, index) => (
            <Section key={section.title ?? index} {...section} />
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

function Section({ title, items }: MenuSection) {
  return (
    <AriaMenuSection aria-label={title ?? items[0]?.label ?? ""} className="border-line p-1 not-first:border-t">
      {title && <Header className="px-2 py-1 text-meta text-text-3">{title}</Header>}
      {items.map((item) => (
        <Item key={item.id} {...item} />
      ))}
    </AriaMenuSection>
  );
}

function Item({ id, label, icon: Icon, href, onAction, danger, disabledReason }: MenuItem) {
  const isRefused = disabledReason !== undefined;
  return (
    <AriaMenuItem
      id={id}
      textValue={label}
      {...(isRefused ? { shouldCloseOnSelect: false } : { href, onAction })}
      className={classNames(
        "group flex cursor-pointer gap-2 rounded-control px-2 py-1.5 outline-none data-focused:bg-sunken",
        "pointer-coarse:min-h-11 pointer-coarse:items-center",
        isRefused ? "cursor-not-allowed text-text-3" : danger ? "text-bad" : "text-text",
      )}
    >
      {Icon && <Icon aria-hidden size={16} strokeWidth={1.75} className="mt-0.5 shrink-0" />}
      <span className="flex min-w-0 flex-col">
        <Text slot="label" dir="auto">
          {label}
        </Text>
        {isRefused && (
          <Text slot="description" className="text-meta">
            {disabledReason}
          </Text>
        )}
      </span>
    </AriaMenuItem>
  );
}
