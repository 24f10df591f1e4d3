import { type ReactNode, useId } from "react";

export interface SectionProps {
  title: string;
  description?: ReactNode;
  /** Buttons or links at the end of the title's line. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a page under its `h2`. Sections follow each other with 32 px between them, which the page gives. */
export function Section({ title, description, actions, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex flex-col">
          <h2 id={id} className="font-semibold text-section">
            {title}
          </h2>
          {description && <p className="max-w-[72ch] text-text-2">{description}</p>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {children}
    </section>
  );
}
