import { Eye, type LucideIcon, Search } from "lucide-react";
import type { Incident } from "../../../../../contract/types.ts";
import type { Tone } from "../../../ui/tones.ts";

export type IncidentState = Incident["state"];

interface Look {
  word: string;
  tone: Tone;
  icon?: LucideIcon;
}

/** In the order in which an incident is dealt with. The words are those of the public page. */
export const incidentStates: Record<IncidentState, Look> = {
  investigating: { word: "Investigating", tone: "bad", icon: Search },
  identified: { word: "Identified", tone: "warn" },
  monitoring: { word: "Monitoring", tone: "run", icon: Eye },
  resolved: { word: "Resolved", tone: "ok" },
};
