import { Link as AriaLink } from "react-aria-components";
import { useLocation } from "react-router";
import { useOrganization } from "../../data/organization.ts";
import { paths } from "../../paths.ts";
import { classNames } from "../../ui/class-names.ts";
import { isCurrent, type Place } from "./places.ts";

/** Whether a place is the one that the page belongs to. */
export function useIsCurrent(href: string): boolean {
  const { pathname } = useLocation();
  return isCurrent(href, pathname, paths.overview(useOrganization()));
}

/** An entry of the navigation at the side. */
export function PlaceLink({ href, label, icon: Icon }: Place) {
  const current = useIsCurrent(href);
  return (
    <AriaLink
      href={href}
      aria-current={current ? "page" : undefined}
      className={classNames(
        "flex h-8 cursor-pointer items-center gap-2.5 rounded-control px-2",
        current ? "bg-text/7 font-medium text-text" : "text-text-2 data-hovered:bg-text/4 data-hovered:text-text",
      )}
    >
      <Icon aria-hidden size={16} strokeWidth={1.75} className="shrink-0" />
      {label}
    </AriaLink>
  );
}
