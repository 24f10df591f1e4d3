import type { Environment, ProjectFilter, ProjectSort, ProjectState } from "../../data/projects.ts";

/** What the list of projects shows, and in which order: kept in the address, in the API's words. */
export interface ProjectView {
  filter: ProjectFilter;
  sort: ProjectSort;
}

export const states: readonly ProjectState[] = [
  ...(["failed", "crashing", "unreachable", "deploying"] as const),
  ...(["waiting", "in_maintenance", "not_installed", "live"] as const),
];
export const environments: readonly Environment[] = ["production", "staging", "dev"];
export const sortedBy = ["name", "last_deployed_at", "created_at"] as const;
export const defaultSort: ProjectSort = "name";

const sorts: readonly string[] = sortedBy.flatMap((field) => [field, `-${field}`]);
const longestText = 200;
const mostIds = 100;

/** What an address asks for. Anything that the API would refuse is left out: addresses are typed, and outlive versions. */
export function viewIn(search: URLSearchParams): ProjectView {
  const sort = search.get("sort") ?? "";
  const q = search.get("q")?.trim().slice(0, longestText);
  const state = namesIn(search.get("state"), states);
  const server_id = idsIn(search.get("server_id"));
  const [project_group_id] = idsIn(search.get("project_group_id"));
  const [environment] = namesIn(search.get("environment"), environments);
  const framework_id = idsIn(search.get("framework_id"));
  const filter: ProjectFilter = {
    ...(q && { q }),
    ...(state.length > 0 && { state }),
    ...(server_id.length > 0 && { server_id }),
    ...(project_group_id && { project_group_id }),
    ...(environment && { environment }),
    ...(framework_id.length > 0 && { framework_id }),
    ...(search.get("pinned") === "true" && { pinned: true }),
  };
  return { filter, sort: sorts.includes(sort) ? (sort as ProjectSort) : defaultSort };
}

/** The address of a view, without what is the default. */
export const searchOf = ({ filter, sort }: ProjectView): Record<string, string | undefined> => ({
  ...Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)])),
  sort: sort === defaultSort ? undefined : sort,
});

/** The sort of a column after another press on its head: names begin upwards, times with the newest. */
export function nextSort(sort: ProjectSort, field: (typeof sortedBy)[number]): ProjectSort {
  const first: ProjectSort = field === "name" ? "name" : `-${field}`;
  const second: ProjectSort = field === "name" ? "-name" : field;
  return sort === first ? second : first;
}

export const isFiltered = ({ filter }: ProjectView): boolean => Object.keys(filter).length > 0;

const partsOf = (text: string | null): string[] => [...new Set(text?.split(",") ?? [])].slice(0, mostIds);

const namesIn = <Name extends string>(text: string | null, known: readonly Name[]): Name[] =>
  partsOf(text).filter((part): part is Name => (known as readonly string[]).includes(part));

const idsIn = (text: string | null): number[] =>
  partsOf(text)
    .filter((part) => /^[1-9]\d{0,8}$/.test(part))
    .map(Number);
