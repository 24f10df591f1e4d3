import type { ReactNode } from "react";
import { Switch as AriaSwitch, type SwitchProps as AriaSwitchProps } from "react-aria-components";
import { classNames } from "./class-names.ts";

export interface SwitchProps extends Omit<AriaSwitchProps, "children" | "className" | "style"> {
  children: ReactNode;
  description?: ReactNode;
}

/** On or off, at once and without a form. Space changes it. */
export function Switch({ children, description, ...props }: SwitchProps) {
  return (
    <AriaSwitch {...props} className="group flex cursor-pointer gap-2.5 py-0.5">
      <span className={trackClasses}>
        <span className="size-3 rounded-full bg-control group-data-selected:translate-x-3 group-data-selected:bg-bg" />
      </span>
      <span className="flex flex-col group-data-disabled:text-text-3">
        {children}
        {description && <span className="text-meta text-text-2">{description}</span>}
      </span>
    </AriaSwitch>
  );
}

const trackClasses = classNames(
  "mt-0.5 flex h-4 w-7 shrink-0 items-center rounded-full border border-control bg-surface px-px",
  "group-data-selected:border-text group-data-selected:bg-text group-data-hovered:border-text-2",
  "group-data-focus-visible:outline-2 group-data-focus-visible:outline-focus group-data-focus-visible:outline-offset-2",
);
