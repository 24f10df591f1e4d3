import { useCallback, useMemo } from "react";
import type { Server } from "../../../../contract/types.ts";
import { useOrganization } from "../../data/organization.ts";
import { isWhole, type ServerSort } from "../../data/servers.ts";
import { paths } from "../../paths.ts";
import { type GridSort, VirtualGrid } from "../../ui/virtual-grid.tsx";
import { columnsWith, type ProviderNames } from "./columns.tsx";
import { ServerMenu } from "./row-menu.tsx";

export interface ServersGridProps {
  rows: readonly Server[];
  total: number;
  sort: ServerSort;
  onSort: (sort: ServerSort) => void;
  names: ProviderNames;
  onReachEnd: () => void;
}

const keyOf = ({ id }: Server): number => id;
const actionsOf = (row: Server) => isWhole(row) && <ServerMenu server={row} />;

export function ServersGrid({ rows, total, sort, onSort, names, onReachEnd }: ServersGridProps) {
  const o = useOrganization();
  const columns = useMemo(() => columnsWith(names), [names]);
  const href = useCallback(({ id }: Server) => paths.server(o, id), [o]);
  return (
    <VirtualGrid
      label="Servers"
      columns={columns}
      rows={rows}
      rowKey={keyOf}
      rowHref={href}
      actions={actionsOf}
      total={total}
      sort={shownSort(sort)}
      onSort={({ key, direction }) => onSort((direction === "ascending" ? key : `-${key}`) as ServerSort)}
      onReachEnd={onReachEnd}
    />
  );
}

const shownSort = (sort: ServerSort): GridSort =>
  sort.startsWith("-") ? { key: sort.slice(1), direction: "descending" } : { key: sort, direction: "ascending" };
