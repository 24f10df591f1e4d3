import { ToggleButton, ToggleButtonGroup } from "react-aria-components";
import { classNames } from "./class-names.ts";

interface SegmentsProps<Id extends string> {
  label: string;
  options: readonly { id: Id; label: string }[];
  value: Id;
  onChange: (id: Id) => void;
}

/** One of a few short words, side by side. Arrows move, Space chooses. */
export function Segments<Id extends string>({ label, options, value, onChange }: SegmentsProps<Id>) {
  return (
    <ToggleButtonGroup
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => onChange([...keys][0] as Id)}
      className="flex rounded-control border border-control"
    >
      {options.map(({ id, label: word }) => (
        <ToggleButton
          key={id}
          id={id}
          className={classNames(
            "h-6.5 cursor-pointer px-2.5 tabular not-first:border-control not-first:border-l pointer-coarse:h-10",
            "text-text-2 data-hovered:bg-text/4 data-selected:bg-text/7 data-selected:font-medium data-selected:text-text",
          )}
        >
          {word}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
