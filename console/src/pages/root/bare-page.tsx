import type { ReactNode } from "react";

/** A page without navigation, for what stands in place of a page. */
export function BarePage({ children }: { children: ReactNode }) {
  return <main className="mx-auto w-full max-w-[72ch] px-4 py-12 sm:px-6">{children}</main>;
}
