import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { appServers } from "../../../../data/new-project.ts";
import { useOrganization } from "../../../../data/organization.ts";
import { serverName } from "../../../../data/reach.ts";
import { isWhole, roomOf, whyNot } from "../../../../parts/app-servers.ts";
import type { Choice } from "../../../../parts/chosen-records/use-choice.ts";
import { useProject } from "../../use-project.ts";

/** The servers that the project can also run on, with their room or why they accept none. */
export function useAppServerChoice(text: string, ids: readonly number[]): Choice {
  const o = useOrganization();
  const own = useProject().server.id;
  const { data, isFetching } = useQuery({ ...appServers(o, text.trim()), placeholderData: keepPreviousData });
  const chosen = useQueries({ queries: ids.map((id) => serverName(o, id)) });
  const servers = (data?.data ?? []).filter(isWhole).filter(({ id }) => id !== own);
  return {
    found: servers.map((server) => ({
      id: server.id,
      label: server.name,
      description: roomOf(server),
      disabledReason: whyNot(server),
    })),
    isLoading: isFetching,
    names: new Map(
      chosen.flatMap((query) => (query.data ? [[query.data.data.id, query.data.data.name] as const] : [])),
    ),
  };
}
