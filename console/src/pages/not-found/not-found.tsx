import { useTitle } from "../../parts/use-title.ts";
import { paths } from "../../paths.ts";
import { Link } from "../../ui/link.tsx";

/** In place of a page that does not exist, or that the account cannot see: the two look alike. */
export function NotFound() {
  useTitle("Page not found");
  return (
    <div className="flex max-w-[72ch] flex-col items-start gap-3">
      <h1 tabIndex={-1} className="font-semibold text-page">
        There is no such page
      </h1>
      <p className="text-prose text-text-2">The address leads nowhere, or to something that you cannot see.</p>
      <Link href={paths.organizations()}>Start page</Link>
    </div>
  );
}
