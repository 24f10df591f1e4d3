import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Monitor } from "../../data/monitors.ts";
import { projectNames } from "../../data/names.ts";
import { useOrganization } from "../../data/organization.ts";
import type { Projects } from "./columns.tsx";

/** The projects of monitors, which a list names by their ids alone: a read for each page of it. */
export function useProjects(pages: readonly { data: readonly Monitor[] }[]): Projects {
  const o = useOrganization();
  const ids = pages.map(({ data }) => [...new Set(data.map(({ project_id }) => project_id))].sort((a, b) => a - b));
  const reads = useQueries({
    queries: ids.map((each) => ({ ...projectNames(o, each), enabled: each.length > 0 })),
    combine: (results) => results.map(({ data }) => data?.data),
  });
  return useMemo(() => new Map(reads.flatMap((read) => read ?? []).map((each) => [each.id, each])), [reads]);
}
