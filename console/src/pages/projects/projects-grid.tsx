import { useCallback, useMemo } from "react";
import { useOrganization } from "../../data/organization.ts";
import type { ProjectList } from "../../data/project-list.ts";
import { paths } from "../../paths.ts";
import { type GridSort, type RowKey, VirtualGrid } from "../../ui/virtual-grid.tsx";
import { columnsWith, gridColumns } from "./columns.tsx";
import type { ProjectView } from "./filters.ts";
import { isShown, type Look } from "./look.ts";
import { RowMenu } from "./row-menu.tsx";
import { isRead, type Row, rowsOf } from "./rows.ts";
import type { Selection } from "./use-selection.ts";

interface Props {
  list: ProjectList;
  total: number;
  view: ProjectView;
  look: Look;
  groupName: (id: number) => string | undefined;
  selection: Selection | undefined;
  onSort: (sort: ProjectView["sort"]) => void;
  /** With the project of a row; undefined: the role deploys nothing. */
  onDeploy: ((id: number) => void) | undefined;
}

const keyOf = (row: Row): number => row.id;
const actionsOf = (row: Row) => isRead(row) && <RowMenu project={row} />;

export function ProjectsGrid({ list, total, view, look, groupName, selection, onSort, onDeploy }: Props) {
  const o = useOrganization();
  const isDense = look.density === "compact";
  const { rowAt } = list;
  const ids = selection?.all;
  const rows = useMemo(() => rowsOf({ total, rowAt, ids }), [total, rowAt, ids]);
  const columns = useMemo(
    () =>
      gridColumns(
        columnsWith(groupName).filter((column) => isShown(look, column)),
        isDense,
      ),
    [groupName, look, isDense],
  );
  const href = useCallback((row: Row) => (row.id > 0 ? paths.project(o, row.id) : undefined), [o]);
  const choosing = selection && {
    selected: selection.ids as ReadonlySet<RowKey>,
    onSelect: (keys: ReadonlySet<RowKey>) => selection.choose(keys as ReadonlySet<number>),
  };
  return (
    <VirtualGrid
      label="Projects"
      columns={columns}
      rows={rows}
      rowKey={keyOf}
      rowHref={href}
      actions={actionsOf}
      dense={isDense}
      total={total}
      sort={sortOf(view)}
      onSort={({ key, direction }) => onSort((direction === "ascending" ? key : `-${key}`) as ProjectView["sort"])}
      onRange={list.showRange}
      {...(onDeploy && { rowKeys: { d: (row: Row) => isRead(row) && onDeploy(row.id) } })}
      {...choosing}
    />
  );
}

const sortOf = ({ sort }: ProjectView): GridSort =>
  sort.startsWith("-") ? { key: sort.slice(1), direction: "descending" } : { key: sort, direction: "ascending" };
