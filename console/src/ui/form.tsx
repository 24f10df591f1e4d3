import { type FormEvent, type ReactNode, useContext, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Form as AriaForm } from "react-aria-components";
import { classNames } from "./class-names.ts";
import { type FieldErrors, RefusedFields, sentencesElsewhere } from "./field-errors.ts";

export interface FormProps {
  /** Called with the values of the named fields when the browser's checks pass. */
  onSubmit: (values: FormData) => void;
  /** Each stands at its field, the first of which gets the focus, or beside the buttons where the form has no such field. */
  errors?: FieldErrors | undefined;
  children: ReactNode;
  className?: string;
  "aria-label"?: string;
}

/** A form as wide as prose, its fields 16 px apart. It never loads a page. */
export function Form({ onSubmit, errors, children, className, ...rest }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [elsewhere, setElsewhere] = useState<readonly string[]>([]);
  useEffect(() => {
    const element = form.current;
    element?.addEventListener("input", forgetRefusal);
    return () => element?.removeEventListener("input", forgetRefusal);
  }, []);
  useLayoutEffect(() => {
    if (form.current) setElsewhere(sentencesElsewhere(form.current, errors ?? {}));
  }, [errors]);
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
      <RefusedFields value={{ errors: errors ?? {}, elsewhere }}>{children}</RefusedFields>
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

/** The buttons at the end of a form, with what the API refused beside them, unless it stands at the fields. */
export function FormActions({ children, refusal }: { children: ReactNode; refusal?: ReactNode }) {
  const { errors, elsewhere } = useContext(RefusedFields);
  const sentence = Object.keys(errors).length === 0 ? refusal : elsewhere.join(" ");
  return (
    <div className="flex flex-wrap items-center gap-2 pt-2">
      {children}
      {sentence && (
        <p role="alert" className="text-bad text-body">
          {sentence}
        </p>
      )}
    </div>
  );
}
