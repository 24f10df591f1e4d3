import { Clock } from "lucide-react";
import type { WholeServer } from "../../data/servers.ts";
import { CodeBlock } from "../../ui/code.tsx";
import { Section } from "../../ui/section.tsx";
import { StateIcon } from "../../ui/state-icon.tsx";
import type { Tone } from "../../ui/tones.ts";

type Shown = Pick<WholeServer, "connection_status" | "connection_error" | "connection_problem">;

/** The command that lets Longshore in, and how far that has come: it follows the server's events. */
export function ConnectSection({ server, command }: { server: Shown; command: string }) {
  return (
    <Section
      title="Connect"
      description="Run this on the server as root. It adds a key that Longshore made for this server alone."
    >
      <CodeBlock>{command}</CodeBlock>
      <div role="status" className="flex flex-col gap-1">
        <Connection server={server} />
      </div>
    </Section>
  );
}

const looks: Record<NonNullable<Shown["connection_problem"]>, { word: string; tone: Tone }> = {
  unreachable: { word: "Not reached", tone: "idle" },
  key_refused: { word: "Key refused", tone: "warn" },
  host_key_changed: { word: "Another host key", tone: "bad" },
};

export function Connection({ server }: { server: Shown }) {
  if (server.connection_status === 1) return <StateIcon tone="ok" word="Connected" />;
  const look = looks[server.connection_problem ?? "unreachable"];
  return (
    <>
      <StateIcon {...look} icon={Clock} state={server.connection_problem ?? undefined} />
      <p dir="auto" className="max-w-[72ch] text-text-2">
        {server.connection_error ?? "Longshore tries to connect until it can, for 24 hours."}
      </p>
    </>
  );
}
