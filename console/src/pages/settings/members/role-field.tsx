import { roleInWords } from "../../../parts/reach.ts";
import { RadioGroup } from "../../../ui/radio-group.tsx";
import type { Decision, Role } from "./use-decision.ts";

export const roles: readonly Role[] = ["Owner", "Admin", "Member", "Viewer"];

interface Props {
  value: Role;
  onChange: (role: Role) => void;
  decision: Decision;
}

export function RoleField({ value, onChange, decision }: Props) {
  const options = roles.map((role) => ({
    value: role,
    label: role,
    description: capitalized(roleInWords[role]),
    disabledReason: role === value ? undefined : decision.refusalFor(role),
  }));
  return (
    <RadioGroup label="Role" name="role" options={options} value={value} onChange={(role) => onChange(role as Role)} />
  );
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
