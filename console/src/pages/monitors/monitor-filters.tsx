import type { MonitorFilter } from "../../data/monitors.ts";
import { useProjectChoices, useServerChoices } from "../../parts/filter-choices.ts";
import { monitorStates } from "../../parts/monitor/monitor-state.tsx";
import { useTypedText } from "../../parts/typed-text.ts";
import { type Filter, FilterBar } from "../../ui/filter-bar.tsx";
import { formatCount } from "../../ui/format.ts";
import { isFiltered, statuses, typeNames, types, withFilter } from "./filters.ts";

interface Props {
  filter: MonitorFilter;
  onChange: (filter: MonitorFilter) => void;
  /** How many match; undefined while that is not known. */
  total: number | undefined;
}

export function MonitorFilters({ filter, onChange, total }: Props) {
  const set = (id: string, selected: readonly string[]) => onChange(withFilter(filter, id, selected));
  const [text, setText] = useTypedText(filter.q ?? "", (q) => set("q", q === "" ? [] : [q]));
  return (
    <FilterBar
      label="Filter monitors"
      query={text}
      onQuery={setText}
      filters={useFilters(filter)}
      onFilter={set}
      {...(isFiltered(filter) && { onReset: () => onChange({}) })}
      count={total !== undefined && formatCount(total, "monitor")}
    />
  );
}

function useFilters({ status, type, project_id = [], server_id = [] }: MonitorFilter): Filter[] {
  const projects = useProjectChoices(project_id);
  const servers = useServerChoices();
  return [
    {
      id: "status",
      label: "State",
      options: statuses.map((id) => ({ id, label: monitorStates[id].word })),
      selected: status ? [status] : [],
      single: true,
    },
    {
      id: "type",
      label: "Kind",
      options: types.map((id) => ({ id, label: typeNames[id] })),
      selected: type ? [type] : [],
      single: true,
    },
    { id: "project_id", label: "Project", options: projects, selected: project_id.map(String) },
    { id: "server_id", label: "Server", options: servers, selected: server_id.map(String) },
  ];
}
