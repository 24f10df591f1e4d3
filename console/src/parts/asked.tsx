import { type ReactNode, useState } from "react";
import { sentenceOf } from "../api/errors.ts";
import { ConfirmDialog, type ConfirmDialogProps } from "../ui/dialog.tsx";

interface Props extends Pick<ConfirmDialogProps, "title" | "verb" | "danger" | "children" | "onConfirm"> {
  /** The button that opens the question. */
  trigger: (ask: () => void) => ReactNode;
  /** What is done when one confirms; the dialog closes with its success. */
  write: { isPending: boolean; isSuccess: boolean; error: Error | null; reset: () => void };
  /** Default: what the API answered. */
  refusal?: string | undefined;
}

/** A button that asks before it does something. */
export function Asked({ trigger, write, refusal, ...question }: Props) {
  const [isAsking, setAsking] = useState(false);
  const show = (isShown: boolean) => {
    write.reset();
    setAsking(isShown);
  };
  return (
    <>
      {trigger(() => show(true))}
      <ConfirmDialog
        {...question}
        isOpen={isAsking && !write.isSuccess}
        onClose={() => show(false)}
        isPending={write.isPending}
        refusal={refusal ?? sentenceOf(write.error)}
      />
    </>
  );
}
