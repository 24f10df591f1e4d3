import { Ban, Clock, type LucideIcon } from "lucide-react";
import type { Command, CommandState } from "../../../data/commands.ts";
import { StateIcon } from "../../../ui/state-icon.tsx";
import type { Tone } from "../../../ui/tones.ts";

const looks: Record<CommandState, { word: string; tone: Tone; icon?: LucideIcon }> = {
  queued: { word: "Waiting", tone: "idle", icon: Clock },
  running: { word: "Running", tone: "run" },
  cancelling: { word: "Cancelling", tone: "run" },
  succeeded: { word: "Succeeded", tone: "ok" },
  failed: { word: "Failed", tone: "bad" },
  cancelled: { word: "Cancelled", tone: "idle", icon: Ban },
};

export function CommandStateBadge({ command: { status, started_at } }: { command: Command }) {
  return <StateIcon {...looks[status]} state={status} since={started_at ?? undefined} />;
}
