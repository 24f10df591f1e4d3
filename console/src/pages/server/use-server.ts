import { useQuery } from "@tanstack/react-query";
import { useOutletContext, useParams } from "react-router";
import type { ServerActions } from "../../../../contract/types.ts";
import { refusalOf } from "../../api/actions.ts";
import { useOrganization } from "../../data/organization.ts";
import { serverActions, type WholeServer } from "../../data/servers.ts";

/** The server's id in the address. */
export const useServerId = (): number => Number(useParams().server);

/** The server whose tab this is; the page around the tabs has read it. */
export const useServer = (): WholeServer => useOutletContext<WholeServer>();

/** Why a verb of the server is refused now, in the API's sentence; undefined: it is not. */
export function useServerRefusals(server: WholeServer): (verb: keyof ServerActions) => string | undefined {
  const actions = useQuery(serverActions(useOrganization(), server.id)).data?.data;
  return (verb) => {
    const action = actions?.[verb];
    if (!action) return refusalOf("server", verb, server);
    return action.is_allowed ? undefined : (action.message ?? undefined);
  };
}
