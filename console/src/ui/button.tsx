import type { LucideIcon } from "lucide-react";
import { type ReactNode, type Ref, useId, useState } from "react";
import { Button as AriaButton, type ButtonProps as AriaButtonProps, TooltipTrigger } from "react-aria-components";
import { classNames } from "./class-names.ts";
import { Ring } from "./ring.tsx";
import { TooltipBubble } from "./tooltip.tsx";

export type ButtonKind = "primary" | "secondary" | "quiet" | "danger";

export interface ButtonProps extends Omit<AriaButtonProps, "children" | "className" | "isDisabled" | "style"> {
  /** Verb and noun: "Delete server". */
  children: ReactNode;
  /**
   * One `primary` on a page. `danger` for what loses something: outlined where it opens a question, and solid where it submits
   * the form that confirms it, so that red stands out only there. Default: `secondary`.
   */
  kind?: ButtonKind;
  /** 28 px high instead of 32. */
  compact?: boolean;
  icon?: LucideIcon;
  /** Why it cannot be pressed now, as the API says it. The button stays focusable and shows the sentence. */
  disabledReason?: string | undefined;
  /** Only for layout: margins, width. */
  className?: string;
  ref?: Ref<HTMLButtonElement>;
}

const kinds: Record<ButtonKind, string> = {
  primary: "border-text bg-text text-bg data-hovered:bg-text/85 data-pressed:bg-text/75",
  secondary: "border-control bg-surface text-text data-hovered:bg-sunken data-pressed:bg-line",
  quiet: "border-transparent text-text-2 data-hovered:bg-text/6 data-hovered:text-text data-pressed:bg-text/12",
  danger: "border-control bg-surface text-bad data-hovered:bg-bad-bg data-pressed:bg-bad-bg",
};

const confirming = "border-transparent bg-bad-dot text-surface data-hovered:bg-bad data-pressed:bg-bad";

const refused = "border-line text-text-3";

/** The classes of a button, also for links that look like one. */
export const buttonClasses = (kind: ButtonKind, compact = false, confirms = false): string =>
  classNames(shape(compact), "cursor-pointer", kind === "danger" && confirms ? confirming : kinds[kind]);

const shape = (compact: boolean): string =>
  classNames(
    "inline-flex shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded-control border",
    "font-medium text-body select-none pointer-coarse:min-h-10",
    compact ? "h-7 px-2" : "h-8 px-3",
  );

/**
 * | key | does |
 * |---|---|
 * | Enter, Space | presses it; if it is refused, shows the reason |
 */
export function Button({
  kind = "secondary",
  compact = false,
  icon,
  disabledReason,
  className,
  ...props
}: ButtonProps) {
  const classes = classNames(
    disabledReason === undefined
      ? buttonClasses(kind, compact, props.type === "submit")
      : classNames(shape(compact), refused),
    "relative",
    className,
  );
  return (
    <PressableWithReason {...props} disabledReason={disabledReason} className={classes}>
      <ButtonContent icon={icon} isPending={props.isPending}>
        {props.children}
      </ButtonContent>
    </PressableWithReason>
  );
}

/** A button with classes of one's own, which can be refused. */
export function PressableWithReason({ disabledReason, ...props }: Omit<ButtonProps, "kind" | "compact" | "icon">) {
  const reasonId = useId();
  const [isOpen, setOpen] = useState(false);
  const isRefused = disabledReason !== undefined;
  const whenRefused = isRefused
    ? ({ "aria-disabled": true, "aria-describedby": reasonId, type: "button", onPress: () => setOpen(true) } as const)
    : {};
  // The same elements with and without a reason: a button that becomes refused keeps the focus.
  return (
    <>
      <TooltipTrigger isOpen={isOpen && isRefused} onOpenChange={setOpen} delay={200} closeDelay={0}>
        <AriaButton {...props} {...whenRefused} />
        <TooltipBubble>{disabledReason}</TooltipBubble>
      </TooltipTrigger>
      {isRefused && (
        <span id={reasonId} hidden>
          {disabledReason}
        </span>
      )}
    </>
  );
}

interface ContentProps {
  icon?: LucideIcon | undefined;
  isPending?: boolean | undefined;
  children: ReactNode;
}

/** The text keeps its width under the ring, so that nothing moves. */
function ButtonContent({ icon: Icon, isPending, children }: ContentProps) {
  return (
    <>
      {isPending && <Ring className="absolute" />}
      <span className={classNames("inline-flex items-center gap-1.5", isPending && "opacity-0")}>
        {Icon && <Icon aria-hidden size={16} strokeWidth={1.75} className="-ml-0.5 shrink-0" />}
        {children}
      </span>
    </>
  );
}
