import { type MouseEvent, memo } from "react";
import { classNames } from "../../ui/class-names.ts";
import { marked, type Span, spansOf } from "./line-text.ts";

export interface LogLineProps {
  number: number;
  /** Undefined: it is being read. */
  text: string | undefined;
  /** What lines before it have set. */
  style: string;
  /** When it was printed; undefined: times are not shown. */
  time: string | undefined;
  isLinked: boolean;
  isMatch: boolean;
  searched: string;
  wraps: boolean;
  /** Names the line in the address, or all lines up to it. */
  onLink: (line: number, isUpTo: boolean) => void;
}

/** One line, with its number as a link to it. */
export const LogLine = memo(function LogLine({ number, text, style, time, ...line }: LogLineProps) {
  const spans = text === undefined ? [] : marked(spansOf(text, style), line.searched);
  return (
    <div
      {...(text === undefined ? { "aria-busy": true } : { "data-line": number })}
      className={classNames(
        "flex min-h-[18px] min-w-full",
        line.isLinked && "bg-warn-bg",
        line.isMatch && "bg-run-bg",
        !line.isLinked && !line.isMatch && "hover:bg-text/4",
      )}
    >
      <LineNumber number={number} onLink={line.onLink} />
      {time !== undefined && <span className="shrink-0 pr-3 text-text-3 select-none">{time || "        "}</span>}
      <span
        dir="auto"
        className={classNames(
          "min-w-0 grow pr-4 text-left",
          line.wraps ? "whitespace-pre-wrap [overflow-wrap:anywhere]" : "whitespace-pre",
        )}
      >
        {spans.map((span, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: spans have no identity of their own.
          <LogSpan key={index} span={span} />
        ))}
      </span>
    </div>
  );
});

function LineNumber({ number, onLink }: Pick<LogLineProps, "number" | "onLink">) {
  const press = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    onLink(number, event.shiftKey);
  };
  return (
    <a
      href={`#L${number}`}
      aria-label={`Line ${number}`}
      tabIndex={-1}
      onClick={press}
      className="sticky left-0 w-16 shrink-0 bg-log pr-4 text-right text-text-3 tabular select-none hover:text-text"
    >
      {number}
    </a>
  );
}

function LogSpan({ span: { text, className, href, isMatch } }: { span: Span }) {
  if (href !== undefined)
    return (
      <a
        href={href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className={classNames(className, isMatch && "bg-warn-dot text-(color:--log)", "underline underline-offset-2")}
      >
        {text}
      </a>
    );
  if (isMatch) return <mark className="bg-warn-dot text-(color:--log)">{text}</mark>;
  return className === "" ? text : <span className={className}>{text}</span>;
}
