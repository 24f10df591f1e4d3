import { ButtonLink } from "./link.tsx";

interface Props {
  href: string;
  /** The one that is shown, from 1. */
  page: number;
  pages: number;
}

/** Pages of a list by name. Links, so that each page has its address. */
export function PageLinks({ href, page, pages }: Props) {
  if (pages < 2) return null;
  return (
    <nav aria-label="Pages" className="flex items-center gap-2">
      {page > 1 && (
        <ButtonLink href={`${href}?page=${page - 1}`} compact>
          Previous
        </ButtonLink>
      )}
      {page < pages && (
        <ButtonLink href={`${href}?page=${page + 1}`} compact>
          Next
        </ButtonLink>
      )}
      <span className="text-text-2">
        Page {page} of {pages}
      </span>
    </nav>
  );
}
