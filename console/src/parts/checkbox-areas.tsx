import { Checkbox } from "../ui/checkbox.tsx";

export interface CheckboxArea<Value extends string> {
  label: string;
  options: readonly { value: Value; label: string }[];
}

interface Props<Value extends string> {
  areas: readonly CheckboxArea<Value>[];
  value: readonly Value[];
  onChange: (value: Value[]) => void;
}

/** Some of many, by area: a box chooses all of its area. */
export function CheckboxAreas<Value extends string>({ areas, value, onChange }: Props<Value>) {
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-3 border-line border-l pl-4">
      {areas.map((area) => (
        <AreaBoxes key={area.label} area={area} value={value} onChange={onChange} />
      ))}
    </div>
  );
}

function AreaBoxes<Value extends string>({
  area: { label, options },
  value,
  onChange,
}: Omit<Props<Value>, "areas"> & { area: CheckboxArea<Value> }) {
  const all = options.map((option) => option.value);
  const chosen = all.filter((each) => value.includes(each));
  const others = value.filter((each) => !all.includes(each));
  return (
    <fieldset className="flex flex-col">
      <legend className="sr-only">{label}</legend>
      <Checkbox
        isSelected={chosen.length === all.length}
        isIndeterminate={chosen.length > 0 && chosen.length < all.length}
        onChange={(isSelected) => onChange(isSelected ? [...others, ...all] : others)}
      >
        <span className="font-medium">{label}</span>
      </Checkbox>
      {options.map((option) => (
        <Checkbox
          key={option.value}
          className="ml-6"
          isSelected={value.includes(option.value)}
          onChange={(isSelected) =>
            onChange(isSelected ? [...value, option.value] : value.filter((other) => other !== option.value))
          }
        >
          {option.label}
        </Checkbox>
      ))}
    </fieldset>
  );
}
