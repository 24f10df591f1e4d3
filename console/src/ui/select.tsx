import { ChevronDown } from "lucide-react";
import { Select as AriaSelect, type SelectProps as AriaSelectProps, Button, SelectValue } from "react-aria-components";
import { classNames } from "./class-names.ts";
import { Field, type FieldText, inputClasses } from "./field.tsx";
import { type Option, OptionList } from "./options.tsx";

export interface SelectProps
  extends Omit<AriaSelectProps<Option>, "children" | "className" | "style" | "items">,
    FieldText {
  options: readonly Option[];
  className?: string;
}

/**
 * One of some, when all fit in a short list. More than 20, or found by typing: ComboBox. `value` and `onChange` hold the id.
 *
 * | key | does |
 * |---|---|
 * | Enter, Space, ↓ ↑ | opens it |
 * | letters | goes to the option that begins so |
 */
export function Select({ label, description, options, className, ...props }: SelectProps) {
  return (
    <AriaSelect {...props} className={classNames("flex flex-col gap-1.5", className)}>
      <Field label={label} description={description}>
        <Button
          className={classNames(
            inputClasses,
            "flex h-8 cursor-pointer items-center justify-between gap-2 text-left pointer-coarse:h-10",
          )}
        >
          <SelectValue className="truncate data-placeholder:text-text-3">
            {({ isPlaceholder, defaultChildren, selectedText }) => (isPlaceholder ? defaultChildren : selectedText)}
          </SelectValue>
          <ChevronDown aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-text-3" />
        </Button>
      </Field>
      <OptionList items={options} />
    </AriaSelect>
  );
}
