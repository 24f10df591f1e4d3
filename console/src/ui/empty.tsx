import type { ReactNode } from "react";

export interface EmptyProps {
  /** What is not there: "No projects yet". */
  title: string;
  /** What it is for, in a sentence or an example. */
  children?: ReactNode;
  /** The button that makes the first. */
  action?: ReactNode;
}

/** A list that has nothing, and what to do about it. */
export function Empty({ title, children, action }: EmptyProps) {
  return (
    <div className="flex flex-col items-start gap-3 border-line border-y py-8">
      <div className="flex max-w-[60ch] flex-col gap-1">
        <p className="font-medium text-prose">{title}</p>
        {children && <div className="text-text-2">{children}</div>}
      </div>
      {action}
    </div>
  );
}
