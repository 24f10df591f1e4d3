import type { ReactNode } from "react";
import {
  RadioGroup as AriaRadioGroup,
  type RadioGroupProps as AriaRadioGroupProps,
  Radio,
} from "react-aria-components";
import { classNames } from "./class-names.ts";
import { Field, type FieldText } from "./field.tsx";

export interface RadioOption {
  value: string;
  label: ReactNode;
  description?: ReactNode;
  /** Why it cannot be chosen, shown in the place of the description. */
  disabledReason?: string | undefined;
}

export interface RadioGroupProps extends Omit<AriaRadioGroupProps, "children" | "className" | "style">, FieldText {
  options: readonly RadioOption[];
}

/** One of a few, all in view. Arrows move and choose. */
export function RadioGroup({ label, description, options, ...props }: RadioGroupProps) {
  return (
    <AriaRadioGroup {...props} className="flex flex-col gap-1.5">
      <Field label={label} description={description}>
        {options.map((option) => (
          <Option key={option.value} {...option} />
        ))}
      </Field>
    </AriaRadioGroup>
  );
}

function Option({ value, label, description, disabledReason }: RadioOption) {
  const isDisabled = disabledReason !== undefined;
  return (
    <Radio
      value={value}
      isDisabled={isDisabled}
      className="group flex cursor-pointer gap-2 data-disabled:cursor-default"
    >
      <span className={ringClasses}>
        <span className="size-1.5 rounded-full bg-bg" />
      </span>
      <span className="flex flex-col group-data-disabled:text-text-3">
        {label}
        {(disabledReason ?? description) && (
          <span className="text-meta text-text-2">{disabledReason ?? description}</span>
        )}
      </span>
    </Radio>
  );
}

const ringClasses = classNames(
  "mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-full border border-control bg-surface",
  "group-data-hovered:border-text-2 group-data-selected:border-text group-data-selected:bg-text",
  "group-not-data-selected:*:hidden group-data-disabled:border-line",
  "group-data-focus-visible:outline-2 group-data-focus-visible:outline-focus group-data-focus-visible:outline-offset-2",
);
