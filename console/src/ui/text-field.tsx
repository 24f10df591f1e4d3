import type { ReactNode, Ref } from "react";
import {
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
  Group,
  Input,
} from "react-aria-components";
import { classNames } from "./class-names.ts";
import { Field, type FieldText, inputClasses } from "./field.tsx";

export interface TextFieldProps extends Omit<AriaTextFieldProps, "className" | "style" | "children">, FieldText {
  placeholder?: string;
  /** For what is code: paths, commands, keys, addresses. */
  mono?: boolean;
  /** Beside the input, in its box: a unit, a protocol, a button. */
  before?: ReactNode;
  after?: ReactNode;
  className?: string;
  inputRef?: Ref<HTMLInputElement>;
}

/** One line of text. In a Form, errors of the API appear below the field whose `name` they have. */
export function TextField(props: TextFieldProps) {
  const { label, description, labelHidden, placeholder, mono, before, after, className, inputRef, ...rest } = props;
  const text = classNames(mono && "font-mono", "h-8 pointer-coarse:h-10");
  const input = { placeholder, ref: inputRef, dir: "auto", spellCheck: mono ? false : undefined } as const;
  return (
    <AriaTextField {...rest} className={classNames("flex flex-col gap-1.5", className)}>
      <Field label={label} description={description} labelHidden={labelHidden}>
        {before || after ? (
          <Group className={classNames(inputClasses, "flex items-center gap-2 data-focus-within:border-focus")}>
            {before && <span className="text-text-3">{before}</span>}
            <Input {...input} className={classNames(text, "min-w-0 grow bg-transparent outline-none")} />
            {after && <span className="shrink-0 text-text-3">{after}</span>}
          </Group>
        ) : (
          <Input {...input} className={classNames(inputClasses, text)} />
        )}
      </Field>
    </AriaTextField>
  );
}
