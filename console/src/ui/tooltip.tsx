import type { ReactElement, ReactNode } from "react";
import { Tooltip as AriaTooltip, TooltipTrigger } from "react-aria-components";

/**
 * Text about a control, shown on hover and focus. The child is one control of this folder, or one within `Focusable`.
 *
 * | key | does |
 * |---|---|
 * | Tab to the control | shows it |
 * | Escape | hides it |
 */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactElement }) {
  return (
    <TooltipTrigger delay={400} closeDelay={0}>
      {children}
      <TooltipBubble>{text}</TooltipBubble>
    </TooltipTrigger>
  );
}

/** The bubble alone, for a trigger of one's own. */
export function TooltipBubble({ children }: { children: ReactNode }) {
  return (
    <AriaTooltip
      offset={6}
      className="float-motion z-50 max-w-72 rounded-control bg-text px-2 py-1 text-meta text-bg shadow-float"
    >
      {children}
    </AriaTooltip>
  );
}
