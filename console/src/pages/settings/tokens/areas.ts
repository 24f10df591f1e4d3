import type { AllowedHere } from "../../../../../contract/types.ts";

type Permission = AllowedHere["permissions"][number];

export interface Area {
  label: string;
  permissions: Permission[];
}

/** By what the first word of a permission is about. */
const areaNames: readonly [label: string, nouns: readonly string[]][] = [
  ["Projects", ["project", "deployment"]],
  ["Servers", ["server"]],
  ["Monitors", ["monitor"]],
  ["Organization", ["organization"]],
];

const nounOf = (permission: string): string => permission.split(":")[0] ?? "";

/** What a token may be allowed, by area: no more than the role is. A permission that no area knows is among the last. */
export function areasOf(permissions: readonly Permission[]): Area[] {
  const known = new Set(areaNames.flatMap(([, nouns]) => nouns));
  const areas = areaNames.map(([label, nouns]) => ({
    label,
    permissions: permissions.filter((permission) => nouns.includes(nounOf(permission))),
  }));
  const others = { label: "Other", permissions: permissions.filter((permission) => !known.has(nounOf(permission))) };
  return [...areas, others].filter((area) => area.permissions.length > 0);
}

/** "project:read, deployment:create and 3 more". */
export function permissionsInWords(permissions: readonly string[]): string {
  if (permissions.includes("*")) return "All that the account may";
  const more = permissions.length - 2;
  return permissions.slice(0, 2).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
