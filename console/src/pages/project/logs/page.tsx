import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { type LoaderFunctionArgs, useSearchParams } from "react-router";
import { prefetch } from "../../../data/cache.ts";
import { useOrganization } from "../../../data/organization.ts";
import { frameworks } from "../../../data/projects.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { LogView } from "../../../parts/log-view/log-view.tsx";
import { processLog } from "../../../parts/log-view/source.ts";
import { type Filter, FilterBar } from "../../../ui/filter-bar.tsx";
import { useSettled } from "../../../use-settled.ts";
import { useProject } from "../use-project.ts";
import { filterIn, type LogFilter, type LogType, logTypes, searchOf, spans, typesOf } from "./filters.ts";

export const loader = ({ params }: LoaderFunctionArgs) => prefetch(frameworks(Number(params.organization)));

/** What the web server and the programs of a project print, as they print it. */
export function Component(): ReactNode {
  const known = useQuery(frameworks(useOrganization()));
  const project = useProject();
  return (
    <Loaded query={known} what="The logs could not be read.">
      {({ data }) => <Logs types={typesOf(data.find(({ id }) => id === project.framework_id)?.runtime_family)} />}
    </Loaded>
  );
}

/** How many earlier lines come first; the API has no more for a stream. */
const earlierLines = 200;
const typedAfterMs = 300;

function Logs({ types }: { types: readonly LogType[] }) {
  const [o, project] = [useOrganization(), useProject()];
  const [search, setSearch] = useSearchParams();
  const filter = filterIn(search, types);
  const show = (next: Partial<LogFilter>) => setSearch(searchOf({ ...filter, ...next }), { replace: true });
  const query = searchOf(filter);
  const stream = `/api/v1/projects/${project.id}/logs/stream?lines=${earlierLines}&${query}`;
  return (
    <div className="flex flex-col gap-4">
      <Filters types={types} filter={filter} onShow={show} />
      {/* Another filter is another log. */}
      <LogView
        key={stream}
        source={processLog(o, `project ${project.id} ${query}`, stream)}
        label={`${logTypes[filter.type]} log`}
      />
    </div>
  );
}

interface FiltersProps {
  types: readonly LogType[];
  filter: LogFilter;
  onShow: (next: Partial<LogFilter>) => void;
}

function Filters({ types, filter, onShow }: FiltersProps) {
  const [q, setQ] = useState(filter.q);
  const settled = useSettled(q, typedAfterMs);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a search begins when its text has settled.
  useEffect(() => {
    if (settled.trim() !== filter.q) onShow({ q: settled });
  }, [settled]);
  const filters: Filter[] = [
    {
      ...{ id: "type", label: "Log", single: true, selected: [filter.type] },
      options: types.map((id) => ({ id, label: logTypes[id] })),
    },
    {
      ...{ id: "since", label: "Since", selected: filter.since ? [filter.since] : [] },
      options: Object.entries(spans).map(([id, label]) => ({ id, label })),
    },
  ];
  const choose = (id: string, selected: string[]) => {
    // The newest choice: one at most.
    const chosen = selected.at(-1);
    if (id === "since") onShow({ since: chosen as LogFilter["since"] });
    else if (chosen) onShow({ type: chosen as LogType });
  };
  const reset = () => {
    setQ("");
    onShow({ q: "", since: undefined });
  };
  return (
    <FilterBar label="Search the log" query={q} onQuery={setQ} filters={filters} onFilter={choose} onReset={reset} />
  );
}
