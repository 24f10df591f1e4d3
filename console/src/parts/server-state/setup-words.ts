import type { SetupState, WholeServer } from "../../data/servers.ts";
import { formatCount } from "../../ui/format.ts";
import type { Tone } from "../../ui/tones.ts";

/** How a setup ended, or that it runs. */
export const setupLooks: Record<SetupState, { word: string; tone: Tone }> = {
  running: { word: "Running", tone: "run" },
  completed: { word: "Completed", tone: "ok" },
  completed_with_failures: { word: "Completed with failures", tone: "warn" },
  completed_with_gaps: { word: "Completed with gaps", tone: "warn" },
  stalled: { word: "Stalled", tone: "bad" },
  failed: { word: "Failed", tone: "bad" },
  not_recorded: { word: "Not recorded", tone: "idle" },
};

/** Nothing is recorded of a setup that has not begun either. */
export const setupLook = ({ setup, state }: Pick<WholeServer, "setup" | "state">) =>
  state === "installing" && setup.state === "not_recorded"
    ? { word: "Begins when it is connected", tone: "idle" as const }
    : setupLooks[setup.state];

/** "3 steps need attention". */
export const attentionText = (count: number): string =>
  formatCount(count, "step needs attention", "steps need attention");
