import { useMay } from "../../data/me.ts";
import { useOrganization } from "../../data/organization.ts";
import type { Snapshot } from "../../data/snapshots.ts";
import { paths } from "../../paths.ts";
import { Link } from "../../ui/link.tsx";
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
  const o = useOrganization();
  const mayDelete = useMay("server:delete");
  const mayOrder = useMay("server:create");
  const order: Column<Snapshot> = {
    id: "order",
    label: "Order",
    render: ({ id, name, state }) =>
      state === "ready" && (
        <Link href={paths.newServer(o, id)} aria-label={`Order server from ${name}`}>
          Order server
        </Link>
      ),
  };
  const shown = [
    ...columns.slice(0, 1),
    ...(server ? [server] : []),
    ...columns.slice(1),
    ...(mayOrder ? [order] : []),
  ];
  return (
    <SmallTable<Snapshot>
      label="Snapshots"
      columns={shown}
      rows={snapshots}
      rowKey={({ id }) => id}
      {...(mayDelete && { actions: (snapshot) => <DeleteSnapshot snapshot={snapshot} /> })}
    />
  );
}
