import { useCallback, useMemo } from "react";
import { useSearchParams } from "react-router";
import type { Database } from "../../data/databases.ts";
import { useOrganization } from "../../data/organization.ts";
import { Empty } from "../../ui/empty.tsx";
import { FilterBar } from "../../ui/filter-bar.tsx";
import { formatCount } from "../../ui/format.ts";
import { type GridSort, VirtualGrid } from "../../ui/virtual-grid.tsx";
import { useTypedText } from "../typed-text.ts";
import { columnsWith } from "./columns.tsx";
import { databasesIn, type ListView, searchOf, viewIn } from "./list-view.ts";
import { databaseAddress, type Place } from "./place.ts";
import { useProjectNames } from "./use-project-names.ts";

/** More than fit on a screen. */
const many = 10;

const keyOf = ({ id }: Database): number => id;

export function DatabaseGrid({ place, databases }: { place: Place; databases: readonly Database[] }) {
  const o = useOrganization();
  const [view, setView] = useView();
  const rows = useMemo(() => databasesIn(databases, view), [databases, view]);
  const href = useCallback(({ id }: Database) => databaseAddress(o, place, id), [o, place]);
  const names = useProjectNames(place.project ? [] : databases);
  const isOfProject = place.project !== undefined;
  const columns = useMemo(() => columnsWith(isOfProject ? undefined : names), [names, isOfProject]);
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {databases.length > many && <Filter view={view} onView={setView} shown={rows.length} />}
      {rows.length === 0 ? (
        <Empty title="No database matches">Name, username and notes are searched.</Empty>
      ) : (
        <VirtualGrid
          label="Databases"
          columns={columns}
          rows={rows}
          rowKey={keyOf}
          rowHref={href}
          sort={shownSort(view.sort)}
          onSort={({ key, direction }) =>
            setView({ ...view, sort: (direction === "ascending" ? key : `-${key}`) as ListView["sort"] })
          }
        />
      )}
    </div>
  );
}

/** Kept in the address. Typing replaces it, so that "back" leads to another page. */
function useView(): [ListView, (view: ListView) => void] {
  const [search, setSearch] = useSearchParams();
  const view = useMemo(() => viewIn(search), [search]);
  const setView = useCallback((next: ListView) => setSearch(searchOf(next), { replace: true }), [setSearch]);
  return [view, setView];
}

interface FilterProps {
  view: ListView;
  onView: (view: ListView) => void;
  shown: number;
}

function Filter({ view, onView, shown }: FilterProps) {
  const [text, setText] = useTypedText(view.q, (q) => onView({ ...view, q }));
  return <FilterBar label="Filter databases" query={text} onQuery={setText} count={formatCount(shown, "database")} />;
}

const shownSort = (sort: ListView["sort"]): GridSort =>
  sort.startsWith("-") ? { key: sort.slice(1), direction: "descending" } : { key: sort, direction: "ascending" };
