import { ChevronLeft, ChevronRight } from "lucide-react";
import { ButtonLink } from "./link.tsx";

export interface PagerProps {
  /** The address of the page with what is newer; undefined on the first. */
  later?: string | undefined;
  /** Of what is older; undefined on the last. */
  earlier?: string | undefined;
}

/** Pages of a list in the order of time. Links, so that each page has its address. */
export function Pager({ later, earlier }: PagerProps) {
  if (later === undefined && earlier === undefined) return null;
  return (
    <nav aria-label="Pages" className="flex items-center justify-between gap-2 pt-3">
      {later === undefined ? (
        <span />
      ) : (
        <ButtonLink href={later} compact icon={ChevronLeft}>
          Later
        </ButtonLink>
      )}
      {earlier !== undefined && (
        <ButtonLink href={earlier} compact>
          Earlier
          <ChevronRight aria-hidden size={16} strokeWidth={1.75} className="-mr-0.5" />
        </ButtonLink>
      )}
    </nav>
  );
}
