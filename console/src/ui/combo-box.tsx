import { ChevronDown } from "lucide-react";
import {
  ComboBox as AriaComboBox,
  type ComboBoxProps as AriaComboBoxProps,
  Button,
  Group,
  Input,
} from "react-aria-components";
import { classNames } from "./class-names.ts";
import { Field, type FieldText, inputClasses } from "./field.tsx";
import { type Option, OptionList } from "./options.tsx";
import { Ring } from "./ring.tsx";

export interface ComboBoxProps
  extends Omit<AriaComboBoxProps<Option>, "children" | "className" | "style" | "items" | "defaultItems">,
    FieldText {
  /** All options, or with `onInputChange` those that the server found for the text. */
  options: readonly Option[];
  isLoading?: boolean;
  /** When nothing is found: "No repository has this name." */
  empty?: string;
  placeholder?: string;
  className?: string;
}

/**
 * One of many, found by typing. `value` and `onChange` hold the id.
 *
 * | key | does |
 * |---|---|
 * | letters | finds |
 * | ↓ ↑ | moves |
 * | Enter | chooses |
 * | Escape | closes, and takes back what was typed |
 */
export function ComboBox(props: ComboBoxProps) {
  const { label, description, options, isLoading = false, empty, placeholder, className, ...rest } = props;
  // What the server found is not filtered again.
  const items = rest.onInputChange ? { items: options } : { defaultItems: options };
  return (
    <AriaComboBox
      allowsEmptyCollection
      menuTrigger="focus"
      {...rest}
      {...items}
      className={classNames("flex flex-col gap-1.5", className)}
    >
      <Field label={label} description={description}>
        <Group className={classNames(inputClasses, "flex items-center pr-1.5")}>
          <Input
            dir="auto"
            placeholder={placeholder}
            className="h-7.5 min-w-0 grow bg-transparent outline-none pointer-coarse:h-9.5"
          />
          {isLoading && <Ring className="text-text-3" />}
          <Button className="flex size-6 cursor-pointer items-center justify-center text-text-3">
            <ChevronDown aria-hidden size={16} strokeWidth={1.75} />
          </Button>
        </Group>
      </Field>
      <OptionList empty={isLoading ? "Searching" : empty} />
    </AriaComboBox>
  );
}
