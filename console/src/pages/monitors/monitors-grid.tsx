import { useCallback, useMemo } from "react";
import type { Monitor } from "../../data/monitors.ts";
import { useOrganization } from "../../data/organization.ts";
import { paths } from "../../paths.ts";
import { VirtualGrid } from "../../ui/virtual-grid.tsx";
import { columnsWith, type Projects } from "./columns.tsx";

export interface MonitorsGridProps {
  rows: readonly Monitor[];
  total: number;
  projects: Projects;
  onReachEnd: () => void;
}

const keyOf = ({ id }: Monitor): number => id;

export function MonitorsGrid({ rows, total, projects, onReachEnd }: MonitorsGridProps) {
  const o = useOrganization();
  const columns = useMemo(() => columnsWith(projects), [projects]);
  const href = useCallback(({ id }: Monitor) => paths.monitor(o, id), [o]);
  return (
    <VirtualGrid
      label="Monitors"
      columns={columns}
      rows={rows}
      rowKey={keyOf}
      rowHref={href}
      total={total}
      onReachEnd={onReachEnd}
    />
  );
}
