import type { ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { Copied } from "../ui/copied.tsx";

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
    <Copied value={value} label={copyLabel} />
    <Button kind="primary" className="self-end" onPress={onClose} autoFocus>
      Done
    </Button>
  </div>
);
