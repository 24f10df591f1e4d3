import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { monitor } from "../../data/monitors.ts";
import { projectNames } from "../../data/names.ts";
import { useOrganization } from "../../data/organization.ts";
import { foundMonitors, foundProjects, foundServers, serverName } from "../../data/reach.ts";
import type { Option } from "../../ui/options.tsx";

export interface Choice {
  /** What the text finds. */
  found: readonly Option[];
  isLoading: boolean;
  /** Of what was chosen, as far as they are known. */
  names: ReadonlyMap<number, string>;
}

/** More are shown by their ids: each costs a request. */
const mostNamed = 50;

interface Named {
  id: number;
  name: string;
}

const optionOf = ({ id, name }: Named): Option => ({ id, label: name });
const namesOf = (records: readonly Named[]): Map<number, string> => new Map(records.map(({ id, name }) => [id, name]));

export function useServerChoice(q: string, ids: readonly number[]): Choice {
  const o = useOrganization();
  const { data, isFetching } = useQuery({ ...foundServers(o, q), placeholderData: keepPreviousData });
  const chosen = useQueries({ queries: ids.slice(0, mostNamed).map((id) => serverName(o, id)) });
  const names = namesOf(chosen.flatMap((query) => (query.data ? [query.data.data] : [])));
  return { found: (data?.data ?? []).map(optionOf), isLoading: isFetching, names };
}

export function useProjectChoice(q: string, ids: readonly number[]): Choice {
  const o = useOrganization();
  const { data, isFetching } = useQuery({ ...foundProjects(o, q), placeholderData: keepPreviousData });
  const chosen = useQuery({
    ...projectNames(o, ids.slice(0, 100)),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  });
  return { found: (data?.data ?? []).map(optionOf), isLoading: isFetching, names: namesOf(chosen.data?.data ?? []) };
}

export function useMonitorChoice(q: string, ids: readonly number[]): Choice {
  const o = useOrganization();
  const { data, isFetching } = useQuery({ ...foundMonitors(o, q), placeholderData: keepPreviousData });
  const chosen = useQueries({ queries: ids.slice(0, mostNamed).map((id) => monitor(o, id)) });
  return {
    // Names of monitors repeat more often than those of servers.
    found: (data ?? []).map(({ url, ...found }) => ({ ...optionOf(found), ...(url && { description: url }) })),
    isLoading: isFetching,
    names: namesOf(chosen.flatMap((query) => query.data ?? [])),
  };
}
