import { type RefObject, useId, useRef, useState } from "react";
import { Tooltip, TooltipTriggerStateContext } from "react-aria-components";
import { classNames } from "./class-names.ts";
import { useClock } from "./clock.ts";
import { formatExact, formatRelative } from "./format.ts";

export interface TimeProps {
  /** As the API gives it, or milliseconds. */
  at: string | number;
  /** Inside a link, a row or a grid: no tab stop of its own. */
  plain?: boolean;
  className?: string;
}

/** "3 min ago", and the exact time with its zone on hover and focus. It stays up to date. */
export function Time({ at, plain, className }: TimeProps) {
  const element = useRef<HTMLTimeElement>(null);
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const text = useClock((now) => formatRelative(at, now));
  const [open, close] = [() => setOpen(true), () => setOpen(false)];
  return (
    <>
      <time
        ref={element}
        dateTime={new Date(at).toISOString()}
        aria-describedby={isOpen ? id : undefined}
        // The exact time has to be within reach of the keyboard.
        tabIndex={plain ? undefined : 0}
        onPointerEnter={open}
        onPointerLeave={close}
        onFocus={open}
        onBlur={close}
        className={classNames("whitespace-nowrap tabular", className)}
      >
        {text}
      </time>
      {isOpen && <ExactTime at={at} id={id} trigger={element} close={close} />}
    </>
  );
}

interface ExactTimeProps {
  at: string | number;
  id: string;
  trigger: RefObject<HTMLTimeElement | null>;
  close: () => void;
}

/** Only while it is shown, since lists have hundreds of times: a TooltipTrigger for each would be always there. */
function ExactTime({ at, id, trigger, close }: ExactTimeProps) {
  const state = { isOpen: true, shouldSkipAnimation: true, open: () => {}, close };
  return (
    <TooltipTriggerStateContext.Provider value={state}>
      <Tooltip triggerRef={trigger} offset={6} className="z-50 rounded-control bg-text px-2 py-1 text-bg text-meta">
        <span id={id}>{formatExact(at)}</span>
      </Tooltip>
    </TooltipTriggerStateContext.Provider>
  );
}
