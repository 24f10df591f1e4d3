import { useMay } from "../../data/me.ts";
import type { Snapshot } from "../../data/snapshots.ts";
import { type Column, SmallTable } from "../../ui/small-table.tsx";
import { StateIcon } from "../../ui/state-icon.tsx";
import { Time } from "../../ui/time.tsx";
import type { Tone } from "../../ui/tones.ts";
import { DeleteSnapshot } from "./delete-snapshot.tsx";

const looks: Record<Snapshot["state"], { word: string; tone: Tone }> = {
  creating: { word: "Being made", tone: "run" },
  ready: { word: "Ready", tone: "ok" },
  failed: { word: "Failed", tone: "bad" },
  deleting: { word: "Being deleted", tone: "run" },
  left: { word: "Left at the provider", tone: "bad" },
};

const columns: Column<Snapshot>[] = [
  {
    id: "name",
    label: "Name",
    render: ({ name, error }) => (
      <span className="flex min-w-0 flex-col py-1">
        <span dir="auto" className="font-medium [overflow-wrap:anywhere]">
          {name}
        </span>
        {error && <span className="text-bad text-meta [overflow-wrap:anywhere]">{error}</span>}
      </span>
    ),
  },
  { id: "state", label: "State", render: ({ state }) => <StateIcon {...looks[state]} state={state} /> },
  { id: "place", label: "Place", phone: "labelled", render: ({ location }) => location },
  { id: "made", label: "Made", phone: "labelled", render: ({ created_at }) => <Time plain at={created_at} /> },
];

interface Props {
  snapshots: readonly Snapshot[];
  /** Where the snapshots of several servers are. */
  server?: Column<Snapshot>;
}

/** Images of servers: billed by the provider until they are deleted. */
export function SnapshotTable({ snapshots, server }: Props) {
  const mayDelete = useMay("server:delete");
  return (
    <SmallTable<Snapshot>
      label="Snapshots"
      columns={server ? [...columns.slice(0, 1), server, ...columns.slice(1)] : columns}
      rows={snapshots}
      rowKey={({ id }) => id}
      {...(mayDelete && { actions: (snapshot) => <DeleteSnapshot snapshot={snapshot} /> })}
    />
  );
}
