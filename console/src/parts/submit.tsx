import type { ReactNode } from "react";
import { sentenceOf } from "../api/errors.ts";
import { Button, type ButtonKind } from "../ui/button.tsx";
import { FormActions } from "../ui/form.tsx";

interface SubmitProps {
  /** Verb and noun. */
  children: ReactNode;
  isPending: boolean;
  error?: Error | null;
  /** The button takes the width of the form. */
  wide?: boolean;
  /** Default: `primary`. On a page of several forms none is. */
  kind?: ButtonKind;
}

/** The button that sends a form, with why it was refused. */
export function Submit({ children, isPending, error, wide, kind = "primary" }: SubmitProps) {
  return (
    <FormActions refusal={sentenceOf(error)}>
      <Button type="submit" kind={kind} isPending={isPending} {...(wide && { className: "w-full" })}>
        {children}
      </Button>
    </FormActions>
  );
}
