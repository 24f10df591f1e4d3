import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import { Form as AriaForm } from "react-aria-components";
import { classNames } from "./class-names.ts";

export interface FormProps {
  /** Called with the values of the named fields when the browser's checks pass. */
  onSubmit: (values: FormData) => void;
  /** `errors` of a 422: field name, with dots inside objects → sentences. The first field with one gets the focus. */
  errors?: Record<string, string | string[]> | undefined;
  children: ReactNode;
  className?: string;
  "aria-label"?: string;
}

/** A form as wide as prose, its fields 16 px apart. It never loads a page. */
export function Form({ onSubmit, errors, children, className, ...rest }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // The checks are in `submit`; the component has no property for this.
    if (form.current) form.current.noValidate = true;
  }, []);
  useEffect(() => {
    if (errors && Object.keys(errors).length > 0) focusFirstInvalid(form.current);
  }, [errors]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isFilledIn(event.currentTarget)) onSubmit(new FormData(event.currentTarget));
    else event.currentTarget.reportValidity();
  };
  return (
    <AriaForm
      {...rest}
      ref={form}
      onSubmit={submit}
      {...(errors && { validationErrors: errors })}
      className={classNames("flex max-w-[72ch] flex-col gap-4", className)}
    >
      {children}
    </AriaForm>
  );
}

/**
 * Whether the browser's own checks pass. What the API refused stays at its field until the field loses the focus, and is no reason:
 * the press of a key or a button that sends the corrected value may come first.
 */
function isFilledIn(form: HTMLFormElement): boolean {
  const fields = [...form.elements].filter((each) => "validity" in each) as HTMLInputElement[];
  return fields.every(({ validity }) => validity.valid || (validity.customError && !failsCheck(validity)));
}

const checks = [
  ...(["valueMissing", "typeMismatch", "patternMismatch", "tooLong", "tooShort"] as const),
  ...(["rangeUnderflow", "rangeOverflow", "stepMismatch", "badInput"] as const),
] as const;

const failsCheck = (validity: ValidityState): boolean => checks.some((check) => validity[check]);

function focusFirstInvalid(form: HTMLFormElement | null): void {
  const field = form?.querySelector<HTMLElement>("[data-invalid]");
  const focusable = "input:not([type=hidden]), textarea, button";
  const input = field?.matches(focusable) ? field : field?.querySelector<HTMLElement>(focusable);
  input?.focus();
}

/** The buttons at the end of a form, with what the API refused beside them. */
export function FormActions({ children, refusal }: { children: ReactNode; refusal?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-2 pt-2">
      {children}
      {refusal && (
        <p role="alert" className="text-bad text-body">
          {refusal}
        </p>
      )}
    </div>
  );
}
