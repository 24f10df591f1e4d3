import { useQuery } from "@tanstack/react-query";
import { useOrganization } from "../../data/organization.ts";
import { environmentNames, frameworks, projectFacets } from "../../data/projects.ts";
import { projectStates } from "../../parts/project-state/project-state.tsx";
import { useTypedText } from "../../parts/typed-text.ts";
import { type Filter, FilterBar } from "../../ui/filter-bar.tsx";
import { projectsText } from "./bulk/bulk-dialog.tsx";
import { environments, isFiltered, type ProjectView, states } from "./filters.ts";
import type { Look } from "./look.ts";
import { LookMenu } from "./look-menu.tsx";

interface Props {
  view: ProjectView;
  onChange: (view: ProjectView) => void;
  look: Look;
  onLook: (look: Look) => void;
  /** How many match; undefined while that is not known. */
  total: number | undefined;
}

export function ProjectFilters({ view, onChange, look, onLook, total }: Props) {
  const set = (id: string, selected: readonly string[]) =>
    onChange({ ...view, filter: withFilter(view, id, selected) });
  const [text, setText] = useTypedText(view.filter.q ?? "", (q) => set("q", q === "" ? [] : [q]));
  const filters = useFilters(view);
  return (
    <FilterBar
      label="Filter projects"
      query={text}
      onQuery={setText}
      filters={filters}
      onFilter={set}
      {...(isFiltered(view) && { onReset: () => onChange({ ...view, filter: {} }) })}
      count={total !== undefined && projectsText(total)}
    >
      <LookMenu look={look} onChange={onLook} view={view} onView={onChange} />
    </FilterBar>
  );
}

/** What can be chosen among the projects with the text, and how many each has. */
function useFilters({ filter }: ProjectView): Filter[] {
  const o = useOrganization();
  const facets = useQuery(projectFacets(o, filter.q === undefined ? {} : { q: filter.q })).data?.data;
  const known = useQuery(frameworks(o)).data?.data ?? [];
  const counts = new Map(facets?.states.map(({ state, count }) => [state, count]));
  const labels = new Map(facets?.environments.map(({ environment, count }) => [environment, count]));
  return [
    {
      id: "state",
      label: "State",
      options: states.map((id) => ({ id, label: projectStates[id].word, count: counts.get(id) ?? 0 })),
      selected: filter.state ?? [],
    },
    {
      id: "server_id",
      label: "Server",
      options: facets?.servers.map(({ id, name, count }) => ({ id: String(id), label: name, count })) ?? [],
      selected: filter.server_id?.map(String) ?? [],
    },
    {
      id: "project_group_id",
      label: "Group",
      single: true,
      options:
        facets?.project_groups.flatMap(({ id, name, count }) =>
          id === null ? [] : [{ id: String(id), label: name ?? "", count }],
        ) ?? [],
      selected: filter.project_group_id === undefined ? [] : [String(filter.project_group_id)],
    },
    {
      id: "environment",
      label: "Environment",
      single: true,
      options: environments.map((id) => ({ id, label: environmentNames[id], count: labels.get(id) ?? 0 })),
      selected: filter.environment === undefined ? [] : [filter.environment],
    },
    {
      id: "framework_id",
      label: "Framework",
      options: known.map(({ id, label }) => ({ id: String(id), label })),
      selected: filter.framework_id?.map(String) ?? [],
    },
  ];
}

/** The filter with other values of a field. */
function withFilter({ filter }: ProjectView, id: string, selected: readonly string[]): ProjectView["filter"] {
  const { [id as keyof typeof filter]: _, ...rest } = filter;
  if (selected.length === 0) return rest;
  const isSingle = id === "q" || id === "project_group_id" || id === "environment";
  const values = id.endsWith("_id") ? selected.map(Number) : selected;
  return { ...rest, [id]: isSingle ? values.at(-1) : values };
}
