import { serverTypes } from "../../data/servers.ts";
import { serverStates } from "../../parts/server-state/server-state.tsx";
import { useTypedText } from "../../parts/typed-text.ts";
import { type Filter, FilterBar } from "../../ui/filter-bar.tsx";
import { formatCount } from "../../ui/format.ts";
import type { ProviderNames } from "./columns.tsx";
import { isFiltered, providerTypes, type ServerView, states, withFilter } from "./filters.ts";

interface Props {
  view: ServerView;
  onChange: (view: ServerView) => void;
  names: ProviderNames;
  /** How many match; undefined while that is not known. */
  total: number | undefined;
}

export function ServerFilters({ view, onChange, names, total }: Props) {
  const set = (id: string, selected: readonly string[]) =>
    onChange({ ...view, filter: withFilter(view, id, selected) });
  const [text, setText] = useTypedText(view.filter.q ?? "", (q) => set("q", q === "" ? [] : [q]));
  return (
    <FilterBar
      label="Filter servers"
      query={text}
      onQuery={setText}
      filters={filtersOf(view, names)}
      onFilter={set}
      {...(isFiltered(view) && { onReset: () => onChange({ ...view, filter: {} }) })}
      count={total !== undefined && formatCount(total, "server")}
    />
  );
}

/** Providers only where there is more than one's own machines. */
function filtersOf({ filter }: ServerView, names: ProviderNames): Filter[] {
  const provider: Filter = {
    id: "provider_type",
    label: "Provider",
    options: providerTypes
      .filter((id) => id === "custom" || names.has(id))
      .map((id) => ({ id, label: names.get(id) ?? "Custom" })),
    selected: filter.provider_type ?? [],
  };
  return [
    {
      id: "state",
      label: "State",
      options: states.map((id) => ({ id, label: serverStates[id].word })),
      selected: filter.state ?? [],
    },
    {
      id: "server_type",
      label: "Type",
      options: Object.entries(serverTypes).map(([id, label]) => ({ id, label })),
      selected: filter.server_type?.map(String) ?? [],
    },
    ...(names.size > 0 || provider.selected.length > 0 ? [provider] : []),
  ];
}
