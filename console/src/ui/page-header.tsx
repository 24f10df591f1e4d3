import { ChevronLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "./link.tsx";

export interface PageHeaderProps {
  title: string;
  /** Where this page belongs: "Projects". */
  parent?: { href: string; label: string };
  /** Beside the title: the record's state. */
  state?: ReactNode;
  /** Below it: address, commit, server; each child is separated from the next. */
  details?: ReactNode;
  /** Buttons; the most frequent first. */
  actions?: ReactNode;
  /** TabLinks, at the end. */
  tabs?: ReactNode;
}

/** The top of a page. Its `h1` gets the focus after a change of page. */
export function PageHeader({ title, parent, state, details, actions, tabs }: PageHeaderProps) {
  return (
    <header className="flex flex-col gap-3">
      <div className="flex flex-col gap-1">
        {parent && (
          <Link href={parent.href} kind="quiet" className="-ml-1 inline-flex items-center self-start text-text-2">
            <ChevronLeft aria-hidden size={16} strokeWidth={1.75} />
            {parent.label}
          </Link>
        )}
        <Lines title={title} state={state} details={details} actions={actions} />
      </div>
      {tabs}
    </header>
  );
}

/** Actions are beside the title; on a phone below the details, if there are any. */
function Lines({ title, state, details, actions }: PageHeaderProps) {
  const [lines, place] = details
    ? ["grid items-start gap-x-4 gap-y-1 sm:grid-cols-[1fr_auto]", "max-sm:mt-2 sm:col-start-2 sm:row-start-1"]
    : ["flex flex-wrap items-start justify-between gap-x-4 gap-y-2", ""];
  return (
    <div className={lines}>
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-1">
        <h1 dir="auto" tabIndex={-1} className="min-w-0 font-semibold text-page [overflow-wrap:anywhere]">
          {title}
        </h1>
        {state}
      </div>
      {details && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-text-2 sm:col-span-2">{details}</div>
      )}
      {actions && <div className={`flex flex-wrap items-center gap-2 ${place}`}>{actions}</div>}
    </div>
  );
}
