import { useQuery } from "@tanstack/react-query";
import type { DatabaseActions } from "../../../../contract/types.ts";
import { refusalOf } from "../../api/actions.ts";
import { type Database, databaseActions } from "../../data/databases.ts";
import { useMay } from "../../data/me.ts";
import { useOrganization } from "../../data/organization.ts";

/** Why a verb of the database is refused now, in the API's sentence; undefined: it is not. */
export function useDatabaseRefusals(database: Database): (verb: keyof DatabaseActions) => string | undefined {
  const enabled = useMay("server:update");
  const actions = useQuery({ ...databaseActions(useOrganization(), database), enabled }).data?.data;
  return (verb) => {
    const action = actions?.[verb];
    // The record can be newer than what was asked about it.
    return refusalOf("database", verb, database) ?? ((!action?.is_allowed && action?.message) || undefined);
  };
}

/** What shows databases is read again after a write. */
export const touches = ["databases", "database"] as const;
