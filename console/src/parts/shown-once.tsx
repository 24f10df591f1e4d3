import type { ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { Code } from "../ui/code.tsx";
import { Copy } from "../ui/copy.tsx";

interface ShownOnceProps {
  /** The secret: it is in this answer of the API and in no other. */
  value: string;
  /** "Copy token". */
  copyLabel: string;
  onClose: () => void;
  /** What it is, and for what. */
  children: ReactNode;
}

/** In a dialog: a value that the API shows a single time. It is nowhere once the dialog is closed. */
export const ShownOnce = ({ value, copyLabel, onClose, children }: ShownOnceProps) => (
  <div className="flex flex-col gap-3">
    <p>{children}</p>
    <div className="flex items-start gap-1">
      <Code>{value}</Code>
      <Copy text={value} label={copyLabel} />
    </div>
    <Button kind="primary" className="self-end" onPress={onClose} autoFocus>
      Done
    </Button>
  </div>
);
