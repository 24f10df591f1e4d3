import {
  TextArea as AriaTextArea,
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
} from "react-aria-components";
import { classNames } from "./class-names.ts";
import { Field, type FieldText, inputClasses } from "./field.tsx";

export interface TextAreaProps extends Omit<AriaTextFieldProps, "className" | "style" | "children">, FieldText {
  placeholder?: string;
  mono?: boolean;
  /** Its height in lines; it can be made taller. Default: 4. */
  rows?: number;
  className?: string;
}

/** Several lines of text. */
export function TextArea({ label, description, placeholder, mono, rows = 4, className, ...rest }: TextAreaProps) {
  return (
    <AriaTextField {...rest} className={classNames("flex flex-col gap-1.5", className)}>
      <Field label={label} description={description}>
        <AriaTextArea
          rows={rows}
          placeholder={placeholder}
          dir={mono ? "ltr" : "auto"}
          spellCheck={mono ? false : undefined}
          className={classNames(inputClasses, "resize-y py-1.5", mono && "font-mono")}
        />
      </Field>
    </AriaTextField>
  );
}
