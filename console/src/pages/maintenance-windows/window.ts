import type { MaintenanceWindow } from "../../../../contract/types.ts";

export type { MaintenanceWindow };

export const isRepeating = (window: MaintenanceWindow): boolean => window.cron_expression !== null;

export type Phase = "running" | "coming" | "past";

/** As the API says. A repeating window that has just ended is without a next time for some seconds. */
export function phaseOf(window: MaintenanceWindow): Phase {
  if (window.is_active) return "running";
  return window.next_starts_at !== null || isRepeating(window) ? "coming" : "past";
}

/** The server looks for the next time of repeating windows this often. */
const moveMs = 10_000;
/** The most that a browser's timers can wait. */
const mostMs = 2 ** 31 - 1;

/** How long the phases of windows stay as they are, in milliseconds: no event says when one begins or ends. */
export function msUntilChange(windows: readonly MaintenanceWindow[], now: number): number | false {
  const waits = windows.flatMap((window) => {
    if (phaseOf(window) === "past") return [];
    const at = window.is_active ? window.next_ends_at : window.next_starts_at;
    // Past due: the clock of the server is behind, or the next time is not there yet.
    const wait = at === null ? 0 : Date.parse(at) - now;
    return [wait > 0 ? wait + 500 : moveMs];
  });
  return waits.length === 0 ? false : Math.min(...waits, mostMs);
}
