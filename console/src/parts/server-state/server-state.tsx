import { CircleSlash, Clock, type LucideIcon } from "lucide-react";
import type { ServerState as State, WholeServer } from "../../data/servers.ts";
import { StateIcon } from "../../ui/state-icon.tsx";
import type { Tone } from "../../ui/tones.ts";

interface Look {
  word: string;
  tone: Tone;
  icon?: LucideIcon;
}

export const serverStates: Record<State, Look> = {
  installing: { word: "Connecting", tone: "idle", icon: Clock },
  provisioning: { word: "Setting up", tone: "run" },
  ready: { word: "Ready", tone: "ok" },
  unreachable: { word: "Unreachable", tone: "bad", icon: CircleSlash },
};

const stopped: Look = { word: "Setup failed", tone: "bad" };

type Shown = Pick<WholeServer, "state" | "setup">;

/** While a server is set up it has the same state as when that gave up: the setup tells which. */
export const hasGivenUp = ({ state, setup }: Shown): boolean =>
  state === "provisioning" && (setup.state === "failed" || setup.state === "stalled");

export function ServerState({ server, iconOnly }: { server: Shown; iconOnly?: boolean }) {
  const look = hasGivenUp(server) ? stopped : serverStates[server.state];
  return <StateIcon {...look} state={server.state} {...(iconOnly && { iconOnly })} />;
}
