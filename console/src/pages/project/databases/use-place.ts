import { useMemo } from "react";
import type { Place } from "../../../parts/databases/place.ts";
import { useProject } from "../use-project.ts";

/** The databases that belong to the project; all of them are on its server. */
export function usePlace(): Place {
  const { id, name, server } = useProject();
  return useMemo(
    () => ({ server: { id: server.id, name: server.name }, project: { id, name }, hasProjects: true }),
    [id, name, server.id, server.name],
  );
}
