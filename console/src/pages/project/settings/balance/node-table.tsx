import type { BalancedServer } from "../../../../data/balance.ts";
import { type Column, SmallTable } from "../../../../ui/small-table.tsx";
import { StateIcon } from "../../../../ui/state-icon.tsx";
import type { Tone } from "../../../../ui/tones.ts";

const looks: Record<BalancedServer["state"], { word: string; tone: Tone }> = {
  serving: { word: "Serving", tone: "ok" },
  installing: { word: "Being installed", tone: "run" },
  draining: { word: "Being deployed to", tone: "run" },
  unreachable: { word: "Unreachable, gets no visitors", tone: "bad" },
  leaving: { word: "Being removed", tone: "run" },
  unknown: { word: "Not known", tone: "warn" },
};

const columns: Column<BalancedServer>[] = [
  {
    id: "server",
    label: "Server",
    grow: true,
    render: ({ server_name: name }) => (
      <span dir="auto" className="font-medium">
        {name}
      </span>
    ),
  },
  { id: "state", label: "State", render: ({ state }) => <StateIcon {...looks[state]} state={state} /> },
];

/** The servers of a project behind a load balancer, its own first. */
export const NodeTable = ({ nodes }: { nodes: readonly BalancedServer[] }) => (
  <SmallTable
    label="Servers behind the load balancer"
    columns={columns}
    rows={nodes}
    rowKey={({ server_id }) => server_id}
  />
);
