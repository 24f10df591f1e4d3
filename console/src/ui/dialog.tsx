import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Form } from "./form.tsx";
import { Overlay, type OverlayProps } from "./overlay.tsx";
import { TextField } from "./text-field.tsx";

/**
 * A dialog in the middle; the whole screen on a phone. Focus goes in and, at the end, back to where it was.
 *
 * | key | does |
 * |---|---|
 * | Tab, Shift-Tab | moves within it |
 * | Escape | closes it |
 */
export function Dialog({ wide, ...props }: OverlayProps & { wide?: boolean }) {
  return (
    <Overlay
      {...props}
      overlayClassName="items-center justify-center sm:p-6"
      modalClassName={`max-h-full w-full max-sm:h-full sm:rounded-dialog sm:border ${wide ? "sm:max-w-3xl" : "sm:max-w-md"}`}
    />
  );
}

export interface ConfirmDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** With the name: "Delete server web-1". */
  title: string;
  /** The button's words, the same verb: "Delete server". */
  verb: string;
  onConfirm: () => void;
  /** What happens, and what is lost. */
  children: ReactNode;
  danger?: boolean;
  /** Has to be typed before the button can be pressed. */
  typedName?: string;
  isPending?: boolean;
  /** Why the API refused it, beside the button. */
  refusal?: string | undefined;
  disabledReason?: string | undefined;
}

/** Asks before something happens. Enter in the name presses the button. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Dialog isOpen={props.isOpen} onClose={props.onClose} title={props.title} role="alertdialog">
      <ConfirmForm {...props} />
    </Dialog>
  );
}

/** Of its own, so that a name typed before is gone when the dialog opens again. */
function ConfirmForm(props: ConfirmDialogProps) {
  const { typedName, verb, danger, children, isPending = false, refusal } = props;
  const [typed, setTyped] = useState("");
  const missing = typedName !== undefined && typed !== typedName ? `Type ${typedName} first.` : undefined;
  const reason = props.disabledReason ?? missing;
  const confirm = () => {
    if (reason === undefined && !isPending) props.onConfirm();
  };
  return (
    <Form onSubmit={confirm} className="gap-4">
      <div className="flex flex-col gap-2 text-prose text-text-2">{children}</div>
      {typedName !== undefined && (
        <TextField
          label={`Type ${typedName} to confirm`}
          value={typed}
          onChange={setTyped}
          autoComplete="off"
          autoFocus
        />
      )}
      {refusal && (
        <p role="alert" className="text-bad text-body">
          {refusal}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2 pt-2">
        <Button onPress={props.onClose} autoFocus={typedName === undefined}>
          Cancel
        </Button>
        <Button type="submit" kind={danger ? "danger" : "primary"} isPending={isPending} disabledReason={reason}>
          {verb}
        </Button>
      </div>
    </Form>
  );
}
