import type { Monitor } from "../../data/monitors.ts";
import { StateIcon } from "../../ui/state-icon.tsx";
import { Time } from "../../ui/time.tsx";
import type { Tone } from "../../ui/tones.ts";

/** The API's states, and one for monitors that are switched off, which the API counts as `inactive`. */
export type MonitorState = Monitor["current_status"] | "inactive";

export const monitorStates: Record<MonitorState, { word: string; tone: Tone }> = {
  down: { word: "Down", tone: "bad" },
  up: { word: "Up", tone: "ok" },
  pending: { word: "Not checked yet", tone: "idle" },
  inactive: { word: "Paused", tone: "idle" },
};

export type Shown = Pick<Monitor, "current_status" | "is_active" | "is_flapping" | "last_status_changed_at">;

const stateOf = ({ is_active, current_status }: Shown): MonitorState => (is_active ? current_status : "inactive");

/** The state of a monitor. */
export function MonitorStateIcon({ monitor }: { monitor: Shown }) {
  const state = stateOf(monitor);
  return <StateIcon {...monitorStates[state]} state={state} />;
}

/** Since when it is so, and whether that changes often. Nothing before the first change. */
export function MonitorSince({ monitor, plain = false }: { monitor: Shown; plain?: boolean }) {
  const { last_status_changed_at: since, is_flapping } = monitor;
  if (!since || stateOf(monitor) === "pending") return null;
  return (
    <>
      since <Time at={since} plain={plain} />
      {is_flapping && ", flapping"}
    </>
  );
}
