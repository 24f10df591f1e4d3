import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Database } from "../../data/databases.ts";
import { projectNames } from "../../data/names.ts";
import { useOrganization } from "../../data/organization.ts";

export type Names = ReadonlyMap<number, string>;

/** The most that the API gives at once. */
const atOnce = 100;

/** The names of the projects that databases belong to, as far as they are known. */
export function useProjectNames(databases: readonly Pick<Database, "project_id">[]): Names {
  const o = useOrganization();
  const ids = useMemo(() => {
    const given = databases.flatMap(({ project_id: id }) => (id === null ? [] : [id]));
    return [...new Set(given)].sort((one, other) => one - other);
  }, [databases]);
  const parts = Array.from({ length: Math.ceil(ids.length / atOnce) }, (_, part) =>
    ids.slice(part * atOnce, (part + 1) * atOnce),
  );
  const replies = useQueries({ queries: parts.map((part) => projectNames(o, part)), combine: repliesOf });
  return useMemo(() => new Map(replies.flatMap((page) => page.map(({ id, name }) => [id, name]))), [replies]);
}

const repliesOf = (queries: { data?: { data: { id: number; name: string }[] } | undefined }[]) =>
  queries.map(({ data }) => data?.data ?? []);
