import { Check } from "lucide-react";
import { ListBox, ListBoxItem, Popover, Text } from "react-aria-components";
import { classNames } from "./class-names.ts";

export interface Option {
  id: string | number;
  label: string;
  description?: string;
  /** Why it cannot be chosen, shown in the place of the description. */
  disabledReason?: string | undefined;
}

/** The list that Select and ComboBox open. */
export function OptionList({ items, empty }: { items?: readonly Option[]; empty?: string }) {
  return (
    <Popover
      offset={4}
      className="float-motion z-50 w-(--trigger-width) min-w-44 rounded-panel border bg-surface shadow-float"
    >
      <ListBox
        {...(items && { items })}
        className="max-h-[inherit] overflow-y-auto p-1 outline-none"
        renderEmptyState={() => <p className="px-2 py-1.5 text-text-3">{empty ?? "Nothing found"}</p>}
      >
        {(option: Option) => <OptionItem {...option} />}
      </ListBox>
    </Popover>
  );
}

function OptionItem({ id, label, description, disabledReason }: Option) {
  const detail = disabledReason ?? description;
  return (
    <ListBoxItem id={id} textValue={label} isDisabled={disabledReason !== undefined} className={optionClasses}>
      {({ isSelected }) => (
        <>
          <span className="flex min-w-0 grow flex-col">
            <Text slot="label" dir="auto" className="truncate">
              {label}
            </Text>
            {detail && (
              <Text slot="description" className="text-meta text-text-2">
                {detail}
              </Text>
            )}
          </span>
          {isSelected && <Check aria-hidden size={16} strokeWidth={1.75} className="mt-0.5 shrink-0" />}
        </>
      )}
    </ListBoxItem>
  );
}

export const optionClasses = classNames(
  "flex cursor-pointer items-start gap-2 rounded-control px-2 py-1.5 outline-none data-focused:bg-sunken",
  "data-disabled:cursor-default data-disabled:text-text-3 pointer-coarse:min-h-11 pointer-coarse:items-center",
);
