import type { TokenRequest } from "../../../../../contract/types.ts";
import { useAllowed } from "../../../data/me.ts";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { RadioGroup } from "../../../ui/radio-group.tsx";
import { type Area, areasOf } from "./areas.ts";

type Permissions = TokenRequest["permissions"];

interface Props {
  value: Permissions;
  onChange: (value: Permissions) => void;
  error: string | undefined;
}

const options = [
  { value: "chosen", label: "Only chosen permissions" },
  { value: "all", label: "All that you may", description: "Also what your role is given later." },
];

/** What a token may do: all that the account may, or permissions by area. */
export function PermissionFields({ value, onChange, error }: Props) {
  const areas = areasOf(useAllowed()?.permissions ?? []);
  const isAll = value.includes("*");
  return (
    <div className="flex flex-col gap-3">
      <RadioGroup
        label="Permissions"
        options={options}
        value={isAll ? "all" : "chosen"}
        onChange={(choice) => onChange(choice === "all" ? ["*"] : [])}
      />
      {!isAll && (
        <div className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-3 border-line border-l pl-4">
          {areas.map((area) => (
            <AreaFields key={area.label} area={area} value={value} onChange={onChange} />
          ))}
        </div>
      )}
      {error && (
        <p role="alert" className="text-bad">
          {error}
        </p>
      )}
    </div>
  );
}

function AreaFields({ area, value, onChange }: { area: Area } & Omit<Props, "error">) {
  const chosen = area.permissions.filter((permission) => value.includes(permission));
  const others = value.filter((permission) => !(area.permissions as readonly string[]).includes(permission));
  return (
    <fieldset className="flex flex-col">
      <legend className="sr-only">{area.label}</legend>
      <Checkbox
        isSelected={chosen.length === area.permissions.length}
        isIndeterminate={chosen.length > 0 && chosen.length < area.permissions.length}
        onChange={(isSelected) => onChange(isSelected ? [...others, ...area.permissions] : others)}
      >
        <span className="font-medium">{area.label}</span>
      </Checkbox>
      {area.permissions.map((permission) => (
        <Checkbox
          key={permission}
          className="ml-6"
          isSelected={value.includes(permission)}
          onChange={(isSelected) =>
            onChange(isSelected ? [...value, permission] : value.filter((other) => other !== permission))
          }
        >
          {permission}
        </Checkbox>
      ))}
    </fieldset>
  );
}
