import type { ReactNode } from "react";
import { sentenceOf } from "../api/errors.ts";
import { Button } from "../ui/button.tsx";
import { FormActions } from "../ui/form.tsx";

interface SubmitProps {
  /** Verb and noun. */
  children: ReactNode;
  isPending: boolean;
  error?: Error | null;
  /** The button takes the width of the form. */
  wide?: boolean;
}

/** The button that sends a form, with why it was refused. */
export function Submit({ children, isPending, error, wide }: SubmitProps) {
  return (
    <FormActions refusal={sentenceOf(error)}>
      <Button type="submit" kind="primary" isPending={isPending} {...(wide && { className: "w-full" })}>
        {children}
      </Button>
    </FormActions>
  );
}
