import type { Database } from "../../data/databases.ts";
import { StateIcon } from "../../ui/state-icon.tsx";
import type { Tone } from "../../ui/tones.ts";

interface Look {
  state: "creating" | "exists" | "failed";
  word: string;
  tone: Tone;
}

/** Databases and their users, by `status`; the words of the API for it. */
const looks: Record<Database["status"], Look> = {
  0: { state: "creating", word: "Being created", tone: "run" },
  1: { state: "exists", word: "Exists", tone: "ok" },
  2: { state: "failed", word: "Failed", tone: "bad" },
};

export const StatusIcon = ({ status, since }: { status: Database["status"]; since?: string }) => (
  <StateIcon {...looks[status]} since={since} />
);

/** Whether it comes with its server, and no setup of that has made it yet. */
export const awaitsSetup = ({ status, created_by_user }: Pick<Database, "status" | "created_by_user">): boolean =>
  status === 0 && !created_by_user;

/** What exists can be behind its record, such as with a new password. */
export function DatabaseState({
  database,
}: {
  database: Pick<Database, "status" | "sync" | "created_at" | "created_by_user">;
}) {
  const { status, sync, created_at } = database;
  const look = looks[status];
  if (awaitsSetup(database)) return <StateIcon state={look.state} word="Comes with the setup" tone="idle" />;
  if (status === 2 || sync.state === "applied") return <StatusIcon status={status} since={created_at} />;
  if (sync.state === "pending") {
    return (
      <StateIcon
        {...look}
        word={status === 0 ? look.word : "Being changed"}
        tone="run"
        since={sync.since ?? undefined}
      />
    );
  }
  return <StateIcon {...look} word={status === 0 ? "Not created yet" : "Not changed yet"} tone="warn" />;
}
