import { useEffect, useSyncExternalStore } from "react";
import { readStored, store } from "../data/stored.ts";

export const themes = ["light", "dark", "system"] as const;
export type Theme = (typeof themes)[number];

export const themeNames: Record<Theme, string> = { light: "Light", dark: "Dark", system: "System" };

// public/assets/theme.js does the same before the first paint.
const stored = "theme";
const listeners = new Set<() => void>();
const system = matchMedia("(prefers-color-scheme: dark)");

function chosenTheme(): Theme {
  const chosen = readStored(stored);
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}

export function chooseTheme(theme: Theme): void {
  store(stored, theme === "system" ? null : theme);
  apply();
}

function apply(): void {
  const theme = chosenTheme();
  document.documentElement.dataset.theme = theme === "system" ? (system.matches ? "dark" : "light") : theme;
  for (const listener of listeners) listener();
}

/** The choice, of whichever tab it was made in. */
export const useTheme = (): Theme => useSyncExternalStore(subscribe, chosenTheme);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Follows the system's theme and the choice of other tabs, while mounted. */
export function useThemeOfOthers(): void {
  useEffect(() => {
    system.addEventListener("change", apply);
    addEventListener("storage", apply);
    return () => {
      system.removeEventListener("change", apply);
      removeEventListener("storage", apply);
    };
  }, []);
}
