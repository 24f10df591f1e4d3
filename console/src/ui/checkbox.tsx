import { Check, Minus } from "lucide-react";
import type { ReactNode } from "react";
import { Checkbox as AriaCheckbox, type CheckboxProps as AriaCheckboxProps } from "react-aria-components";
import { classNames } from "./class-names.ts";

export interface CheckboxProps extends Omit<AriaCheckboxProps, "children" | "className" | "style"> {
  children: ReactNode;
  description?: ReactNode;
  className?: string;
}

/** Yes or no, saved with its form. Space changes it. */
export function Checkbox({ children, description, className, ...props }: CheckboxProps) {
  return (
    <AriaCheckbox {...props} className={classNames("group flex cursor-pointer gap-2 py-0.5", className)}>
      {({ isIndeterminate, isSelected }) => (
        <>
          <span className={boxClasses}>
            {isIndeterminate ? <Minus size={12} strokeWidth={3} /> : isSelected && <Check size={12} strokeWidth={3} />}
          </span>
          <span className="flex flex-col group-data-disabled:text-text-3">
            {children}
            {description && <span className="text-meta text-text-2">{description}</span>}
          </span>
        </>
      )}
    </AriaCheckbox>
  );
}

const boxClasses = classNames(
  "mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-control border border-control bg-surface text-bg",
  "group-data-hovered:border-text-2 group-data-selected:border-text group-data-selected:bg-text",
  "group-data-indeterminate:border-text group-data-indeterminate:bg-text group-data-invalid:border-bad",
  "group-data-focus-visible:outline-2 group-data-focus-visible:outline-focus group-data-focus-visible:outline-offset-2",
  "group-data-disabled:border-line",
);
