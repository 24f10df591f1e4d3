import type { LucideIcon } from "lucide-react";
import { CircleSlash, Clock, Wrench } from "lucide-react";
import type { ProjectState as State } from "../../data/projects.ts";
import { StateIcon } from "../../ui/state-icon.tsx";
import type { Tone } from "../../ui/tones.ts";

interface Look {
  word: string;
  tone: Tone;
  icon?: LucideIcon;
}

export const projectStates: Record<State, Look> = {
  live: { word: "Live", tone: "ok" },
  deploying: { word: "Deploying", tone: "run" },
  waiting: { word: "Waiting", tone: "idle", icon: Clock },
  failed: { word: "Failed", tone: "bad" },
  crashing: { word: "Crashing", tone: "bad" },
  in_maintenance: { word: "In maintenance", tone: "warn", icon: Wrench },
  unreachable: { word: "Unreachable", tone: "bad", icon: CircleSlash },
  not_installed: { word: "Not installed", tone: "idle" },
};

/** The state of a project, as the API names it. */
export function ProjectState({ state, iconOnly }: { state: State; iconOnly?: boolean }) {
  return <StateIcon {...projectStates[state]} state={state} {...(iconOnly && { iconOnly })} />;
}
