import { classNames } from "./class-names.ts";
import { Copy } from "./copy.tsx";

/** A path, a name, a commit inside a sentence. */
export function Code({ children, className }: { children: string; className?: string }) {
  return <code className={classNames("[overflow-wrap:anywhere]", className)}>{children}</code>;
}

/** A command or a value to copy, on a line or in a block that scrolls. `label` says what is copied. */
export function CodeBlock({ children, label = "Copy" }: { children: string; label?: string }) {
  return (
    <div className="flex items-start gap-1 rounded-panel bg-sunken py-1 pr-1 pl-3">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be within reach of the keyboard. */}
      <pre tabIndex={0} className="min-w-0 grow overflow-x-auto py-1 text-body">
        {children}
      </pre>
      <Copy text={children} label={label} />
    </div>
  );
}
