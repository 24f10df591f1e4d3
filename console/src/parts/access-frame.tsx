import type { ReactNode } from "react";
import { useTitle } from "./use-title.ts";

interface AccessFrameProps {
  title: string;
  /** The heading in place of the title, when a name in it has to be set apart. */
  heading?: ReactNode;
  /** Of the tab, if the heading is long. */
  tabTitle?: string;
  /** Below the heading. */
  lead?: ReactNode;
  children?: ReactNode;
}

/** A page that one sees without being signed in, or before one is in an organization: one column in the middle. */
export function AccessFrame({ title, heading = title, tabTitle = title, lead, children }: AccessFrameProps) {
  useTitle(tabTitle);
  return (
    <div className="flex min-h-dvh flex-col items-center px-4 py-8 sm:py-[14dvh]">
      <div className="flex w-full max-w-[360px] flex-col gap-6">
        <p className="font-semibold text-prose text-text-2">Longshore</p>
        <main className="flex flex-col gap-6">
          <header className="flex flex-col gap-1">
            <h1 tabIndex={-1} className="text-page font-semibold [overflow-wrap:anywhere]">
              {heading}
            </h1>
            {lead && <p className="text-prose text-text-2 [overflow-wrap:anywhere]">{lead}</p>}
          </header>
          {children}
        </main>
      </div>
    </div>
  );
}
