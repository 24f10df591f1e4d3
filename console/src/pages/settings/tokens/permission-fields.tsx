import type { TokenRequest } from "../../../../../contract/types.ts";
import type { Permission } from "../../../api/actions.ts";
import { useAllowed } from "../../../data/me.ts";
import { CheckboxAreas } from "../../../parts/checkbox-areas.tsx";
import { RadioGroup } from "../../../ui/radio-group.tsx";
import { areasOf } from "./areas.ts";

type Permissions = TokenRequest["permissions"];

interface Props {
  value: Permissions;
  onChange: (value: Permissions) => void;
}

const options = [
  { value: "chosen", label: "Only chosen permissions" },
  { value: "all", label: "All that you may", description: "Also what your role is given later." },
];

/** What a token may do: all that the account may, or permissions by area. */
export function PermissionFields({ value, onChange }: Props) {
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
        <CheckboxAreas
          areas={areas.map(({ label, permissions }) => ({
            label,
            options: permissions.map((permission) => ({ value: permission, label: permission })),
          }))}
          value={value as Permission[]}
          onChange={onChange}
        />
      )}
    </div>
  );
}
