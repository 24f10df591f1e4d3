import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { serverNames } from "../../data/names.ts";
import { useOrganization } from "../../data/organization.ts";
import { foundMonitors } from "../../data/reach.ts";
import type { Names } from "./window-text.ts";

/** The first hundred of each; windows of others show how many they are. */
export function useTargetNames(): Names {
  const o = useOrganization();
  const monitors = useQuery(foundMonitors(o, "")).data;
  const servers = useQuery(serverNames(o)).data?.data;
  return useMemo(() => ({ monitors: namesOf(monitors), servers: namesOf(servers) }), [monitors, servers]);
}

const namesOf = (records: readonly { id: number; name: string }[] = []): ReadonlyMap<number, string> =>
  new Map(records.map(({ id, name }) => [id, name]));
