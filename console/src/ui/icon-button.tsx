import type { LucideIcon } from "lucide-react";
import type { Ref } from "react";
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from "react-aria-components";
import { classNames } from "./class-names.ts";
import { Tooltip } from "./tooltip.tsx";

export interface IconButtonProps extends Omit<AriaButtonProps, "children" | "className" | "style"> {
  /** Its accessible name, and its tooltip. */
  label: string;
  icon: LucideIcon;
  compact?: boolean;
  /** Only for layout. */
  className?: string;
  ref?: Ref<HTMLButtonElement>;
}

/** A button with an icon alone, for actions that everybody knows by it: close, more, copy. Keys as of Button. */
export function IconButton({ label, icon: Icon, compact, className, ...props }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <AriaButton
        {...props}
        aria-label={label}
        className={classNames(
          "inline-flex shrink-0 cursor-pointer items-center justify-center rounded-control align-middle text-text-2",
          "data-hovered:bg-text/6 data-hovered:text-text data-pressed:bg-text/12",
          "data-disabled:cursor-default data-disabled:text-text-3 pointer-coarse:size-10",
          compact ? "size-7" : "size-8",
          className,
        )}
      >
        <Icon aria-hidden size={16} strokeWidth={1.75} />
      </AriaButton>
    </Tooltip>
  );
}
