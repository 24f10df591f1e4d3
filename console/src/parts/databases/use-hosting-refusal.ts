import { useQuery } from "@tanstack/react-query";
import { useMay } from "../../data/me.ts";
import { useOrganization } from "../../data/organization.ts";
import { serverActions } from "../../data/servers.ts";

/** Why the server takes no database now, in the API's sentence. */
export function useHostingRefusal(serverId: number, verb: "create_database" | "adopt_database"): string | undefined {
  const enabled = useMay("server:update");
  const action = useQuery({ ...serverActions(useOrganization(), serverId), enabled }).data?.data[verb];
  return (!action?.is_allowed && action?.message) || undefined;
}
