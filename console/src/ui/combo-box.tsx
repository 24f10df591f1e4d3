import { ChevronDown } from "lucide-react";
import {
  ComboBox as AriaComboBox,
  type ComboBoxProps as AriaComboBoxProps,
  Button,
  Group,
  Input,
  type Key,
} from "react-aria-components";
import { classNames } from "./class-names.ts";
import { Field, type FieldText, inputClasses } from "./field.tsx";
import { type Option, OptionList } from "./options.tsx";
import { Ring } from "./ring.tsx";
import type { Search } from "./use-search.ts";

export interface ComboBoxProps
  extends Omit<
      AriaComboBoxProps<Option>,
      "children" | "className" | "style" | "items" | "defaultItems" | "inputValue" | "onInputChange"
    >,
    FieldText {
  /** All options, or with `search` those that the server found. */
  options: readonly Option[];
  search?: Search;
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
 * | Escape, Tab | closes, and takes back what was typed |
 */
export function ComboBox(props: ComboBoxProps) {
  const { label, description, options, search, isLoading = false, empty, placeholder, className, ...rest } = props;
  return (
    <AriaComboBox
      allowsEmptyCollection
      menuTrigger="focus"
      {...rest}
      {...(search ? foundBy(search, props) : { defaultItems: options })}
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

/** What the server found is not filtered again, and the chosen option need not be among it: its text is ours to show. */
function foundBy(search: Search, { options, value, onChange, isRequired }: ComboBoxProps) {
  return {
    items: options,
    inputValue: search.text,
    onInputChange: (text: string) => {
      if (text !== "" || isRequired) return search.type(text);
      search.choose("");
      if (value != null) onChange?.(null);
    },
    onChange: (id: Key | null) => {
      // The list closes without a choice also when the page scrolls, while one types.
      if (id === null || id === value) return;
      search.choose(options.find((option) => option.id === id)?.label ?? "");
      onChange?.(id);
    },
    onKeyDown: ({ key }: { key: string }) => {
      if (key === "Escape" || key === "Enter") search.takeBack();
    },
    onBlur: search.takeBack,
  };
}
