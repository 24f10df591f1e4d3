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
    const element = form.current;
    element?.addEventListener("input", forgetRefusal);
    return () => element?.removeEventListener("input", forgetRefusal);
  }, []);
  useEffect(() => {
    if (errors && Object.keys(errors).length > 0) focusFirstInvalid(form.current);
  }, [errors]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
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
 * What the API refused is not true of another value, nor what the browser's checks found of one that passes them. Otherwise the
 * sentence stays until the field loses the focus, such as by the press of a button, which moves away under the pointer then.
 */
function forgetRefusal({ target }: Event): void {
  const { validity } = target as HTMLInputElement;
  const isMended = validity?.valid && (target as HTMLElement).closest("[data-invalid]") !== null;
  if (validity?.customError || isMended) target?.dispatchEvent(new Event("change", { bubbles: true }));
}

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
