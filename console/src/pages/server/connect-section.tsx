import { Clock } from "lucide-react";
import type { WholeServer } from "../../data/servers.ts";
import { CodeBlock } from "../../ui/code.tsx";
import { Section } from "../../ui/section.tsx";
import { StateIcon } from "../../ui/state-icon.tsx";

type Shown = Pick<WholeServer, "connection_status" | "connection_error">;

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

/** The API has a sentence and no code for it; the sentence begins with the server's name. */
const isKeyRefused = ({ connection_error: error }: Shown): boolean => error?.includes(") refused the key.") ?? false;

export function Connection({ server }: { server: Shown }) {
  if (server.connection_status === 1) return <StateIcon tone="ok" word="Connected" />;
  const isRefused = isKeyRefused(server);
  return (
    <>
      <StateIcon tone={isRefused ? "warn" : "idle"} icon={Clock} word={isRefused ? "Key refused" : "Not reached"} />
      <p dir="auto" className="max-w-[72ch] text-text-2">
        {server.connection_error ?? "Longshore tries to connect until it can, for 24 hours."}
      </p>
    </>
  );
}
