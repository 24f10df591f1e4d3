import type { ReactNode } from "react";
import type { Server } from "../../../../contract/types.ts";
import { isWhole, serverTypes, type WholeServer } from "../../data/servers.ts";
import { ServerState } from "../../parts/server-state/server-state.tsx";
import { attentionText } from "../../parts/server-state/setup-words.ts";
import { diskOf, loadOf, memoryOf, ShareCell } from "../../parts/server-state/usage.tsx";
import { formatMoney, formatNumber } from "../../ui/format.ts";
import type { GridColumn } from "../../ui/grid-row.tsx";
import { Time } from "../../ui/time.tsx";

interface ServerColumn extends Omit<GridColumn<Server>, "render"> {
  render: (server: WholeServer) => ReactNode;
}

/** Names of providers by their type. */
export type ProviderNames = ReadonlyMap<string, string>;

/** The columns; a server of which only the name is in reach has no more than that. */
export const columnsWith = (names: ProviderNames): readonly GridColumn<Server>[] => [
  { id: "name", label: "Name", width: "minmax(160px, 3fr)", sort: "name", render: (row) => <NameCell server={row} /> },
  ...wholeColumns(names).map(({ render, ...column }) => ({
    ...column,
    render: (row: Server) => isWhole(row) && render(row),
  })),
];

const addressOf = ({ public_ip: address }: WholeServer): string => address ?? "No address yet";

const wholeColumns = (names: ProviderNames): readonly ServerColumn[] => [
  { id: "address", label: "Public IP", width: "", phone: "only", render: addressOf },
  { id: "state", label: "State", width: "128px", phone: "end", render: (row) => <StateCell server={row} /> },
  { id: "type", label: "Type", width: "96px", drop: 2, render: ({ server_type: type }) => serverTypes[type] },
  {
    id: "provider",
    drop: 1,
    label: "Provider",
    width: "minmax(104px, 1fr)",
    phone: "hidden",
    render: (row) => <ProviderCell server={row} names={names} />,
  },
  {
    id: "projects",
    drop: 4,
    label: "Projects",
    width: "64px",
    align: "end",
    phone: "hidden",
    render: ({ projects_count: count }) => formatNumber(count),
  },
  ...usageColumns,
  {
    id: "seen",
    drop: 3,
    label: "Last seen",
    width: "88px",
    sort: "last_seen_at",
    phone: "hidden",
    render: ({ last_seen_at: at }) => (at ? <Time at={at} plain className="text-text-2" /> : null),
  },
];

const usageColumns: readonly ServerColumn[] = [
  {
    id: "load",
    label: "Load",
    width: "84px",
    sort: "load",
    phone: "hidden",
    render: ({ usage }) => <ShareCell value={loadOf(usage)} />,
  },
  {
    id: "memory",
    label: "Memory",
    width: "84px",
    sort: "memory",
    phone: "hidden",
    render: ({ usage }) => <ShareCell value={memoryOf(usage)} />,
  },
  {
    id: "disk",
    label: "Disk",
    width: "84px",
    sort: "disk",
    phone: "hidden",
    render: ({ usage }) => <ShareCell value={diskOf(usage)} />,
  },
];

function NameCell({ server }: { server: Server }) {
  return (
    <span className="flex min-w-0 flex-col leading-4">
      <span dir="auto" className="max-w-full self-start truncate">
        {server.name}
      </span>
      {isWhole(server) && (
        <span className="min-w-0 truncate font-normal text-meta text-text-2 max-sm:hidden">{addressOf(server)}</span>
      )}
    </span>
  );
}

/** With what the setup left to do. */
function StateCell({ server }: { server: WholeServer }) {
  const { attention_count: count } = server.setup;
  return (
    <span className="flex min-w-0 flex-col leading-4">
      <ServerState server={server} />
      {count > 0 && <span className="truncate text-meta text-warn max-sm:sr-only">{attentionText(count)}</span>}
    </span>
  );
}

function ProviderCell({ server, names }: { server: WholeServer; names: ProviderNames }) {
  const { provider_type: type, monthly_price_gross: price, price_currency: currency } = server;
  return (
    <span className="flex min-w-0 flex-col leading-4">
      <span dir="auto" className="max-w-full self-start truncate">
        {type === "custom" ? "Custom" : (names.get(type) ?? "Cloud")}
      </span>
      {price && currency && (
        <span className="text-meta text-text-2 tabular">{formatMoney(price, currency)} a month</span>
      )}
    </span>
  );
}
