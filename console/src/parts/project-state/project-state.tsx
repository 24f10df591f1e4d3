import type { LucideIcon } from "lucide-react";
import { CircleSlash, Clock, Wrench } from "lucide-react";
import type { ProjectSummary, ProjectState as State } from "../../data/projects.ts";
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

type Shown = Pick<ProjectSummary, "state"> & Partial<Pick<ProjectSummary, "source_type" | "last_deployment">>;

/** The state of a project, as the API names it. What it calls deploying of an application is its installation, or a move. */
export function ProjectState({ project, iconOnly }: { project: Shown; iconOnly?: boolean }) {
  const look = projectStates[project.state];
  const word = isInstalling(project) ? "Installing" : look.word;
  return <StateIcon {...look} word={word} state={project.state} {...(iconOnly && { iconOnly })} />;
}

const unended: readonly number[] = [3, 4];

const isInstalling = ({ state, source_type, last_deployment: last }: Shown): boolean =>
  state === "deploying" && source_type === "app" && !unended.includes(last?.status ?? 0);
