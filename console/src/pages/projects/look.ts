import { useMemo } from "react";
import { usePreference } from "../../data/preferences.ts";

export const densities = ["compact", "comfortable"] as const;
export type Density = (typeof densities)[number];

/** How the list looks: kept for the account. */
export interface Look {
  density: Density;
  /** Columns that one chose against their default: extra ones are shown, the others hidden. */
  turned: readonly string[];
}

/** What is stored may be from another version, or from anything that writes preferences. */
export function lookIn(stored: unknown): Look {
  const { density, turned } = (stored ?? {}) as Partial<Record<keyof Look, unknown>>;
  return {
    density: densities.find((each) => each === density) ?? "comfortable",
    turned: Array.isArray(turned) ? turned.filter((id) => typeof id === "string") : [],
  };
}

/** A column that is shown by default is turned off, and the other way round. */
export const withTurned = ({ turned, ...look }: Look, id: string): Look => ({
  ...look,
  turned: turned.includes(id) ? turned.filter((each) => each !== id) : [...turned, id],
});

export const isShown = ({ turned }: Look, { id, isExtra = false }: { id: string; isExtra?: boolean }): boolean =>
  turned.includes(id) === isExtra;

export function useLook(): [Look, (look: Look) => void] {
  const [stored, store] = usePreference("projects");
  const look = useMemo(() => lookIn(stored), [stored]);
  return [look, store];
}
