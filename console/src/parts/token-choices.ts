import type { AllowedHere } from "../../../contract/types.ts";

/** How many days a token lives. */
export const expiries = [
  { id: "30", label: "In 30 days" },
  { id: "90", label: "In 90 days" },
  { id: "365", label: "In a year" },
  { id: "never", label: "Never" },
];

/** As the API takes it; null: never. */
export const expiryOf = (days: string, now: number): string | null =>
  days === "never" ? null : new Date(now + Number(days) * 86_400_000).toISOString();

export interface Choice {
  permission: string;
  isProposed: boolean;
}

/** What the token may be allowed: no more than the role is. A program that proposes nothing asks for all of it. */
export function choicesOf(
  { role, permissions }: Pick<AllowedHere, "role" | "permissions">,
  proposed: readonly string[] | null,
): Choice[] {
  const isForAll = proposed === null || proposed.includes("*");
  const whole = role === "Owner" && proposed?.includes("*") ? [{ permission: "*", isProposed: true }] : [];
  return [
    ...whole,
    ...permissions.map((permission) => ({ permission, isProposed: isForAll || proposed.includes(permission) })),
  ];
}
