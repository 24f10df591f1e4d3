import { useMemo } from "react";
import type { Place } from "../../../parts/databases/place.ts";
import { useServer } from "../use-server.ts";

/** The databases on the server. */
export function usePlace(): Place {
  const { id, name, projects_count: projects } = useServer();
  return useMemo(() => ({ server: { id, name }, hasProjects: projects > 0 }), [id, name, projects]);
}
