import { type RefObject, useLayoutEffect, useRef } from "react";
import { Link as AriaLink } from "react-aria-components";
import { classNames } from "./class-names.ts";

export interface TabLink {
  href: string;
  label: string;
  /** After the label: how many there are. */
  count?: number;
}

export interface TabLinksProps {
  /** Names the landmark: "Project". */
  label: string;
  items: readonly TabLink[];
  /** The address of the page that is shown: that of a tab, or below it. */
  current: string;
}

/** The pages of a record, as links: each has its address, and Ctrl-click opens a browser tab. Scrolls sideways on a phone. */
export function TabLinks({ label, items, current }: TabLinksProps) {
  const strip = useRef<HTMLElement>(null);
  const shown = tabOf(current, items);
  useCurrentInView(strip, shown);
  return (
    <nav
      ref={strip}
      aria-label={label}
      className="relative -mx-4 overflow-x-auto px-4 [scrollbar-width:none] sm:mx-0 sm:px-0"
    >
      <ul className="flex min-w-full gap-5 border-line border-b">
        {items.map((item) => (
          <li key={item.href} className="shrink-0">
            <TabLinkItem {...item} isCurrent={item.href === shown} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Scrolls the strip alone: `scrollIntoView` would move the page too. */
function useCurrentInView(strip: RefObject<HTMLElement | null>, current: string | undefined): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that another one is current.
  useLayoutEffect(() => {
    const link = strip.current?.querySelector<HTMLElement>("[aria-current]");
    if (strip.current && link)
      strip.current.scrollLeft = link.offsetLeft - (strip.current.clientWidth - link.offsetWidth) / 2;
  }, [strip, current]);
}

/** The longest, since the address of the first tab is the beginning of all. */
function tabOf(current: string, items: readonly TabLink[]): string | undefined {
  const around = items.map(({ href }) => href).filter((href) => `${current}/`.startsWith(`${href}/`));
  return around.toSorted((one, other) => other.length - one.length)[0];
}

function TabLinkItem({ href, label, count, isCurrent }: TabLink & { isCurrent: boolean }) {
  return (
    <AriaLink
      href={href}
      aria-current={isCurrent ? "page" : undefined}
      className={classNames(
        "-mb-px flex h-9 cursor-pointer items-center gap-1.5 border-b-2 outline-offset-[-2px] pointer-coarse:h-11",
        isCurrent
          ? "border-text font-medium text-text"
          : "border-transparent text-text-2 data-hovered:border-control data-hovered:text-text",
      )}
    >
      {label}
      {count !== undefined && <span className="text-text-3 tabular">{count}</span>}
    </AriaLink>
  );
}
