import { Code } from "./code.tsx";
import { Copy } from "./copy.tsx";

/** A value that one needs elsewhere. `label` says what is copied: "Copy password". */
export const Copied = ({ value, label }: { value: string; label: string }) => (
  <span className="flex items-start gap-1">
    <Code>{value}</Code>
    <Copy text={value} label={label} />
  </span>
);
