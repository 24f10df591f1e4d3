import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { ProjectPage } from "../../../contract/types.ts";
import type { OrganizationId } from "../paths.ts";
import { cache } from "./cache.ts";
import { pageOf, pagesOf, type Range } from "./pages.ts";
import { type ProjectFilter, type ProjectSort, type ProjectSummary, projectPage, projectsPerPage } from "./projects.ts";
import { usePaced } from "./use-paced.ts";

export interface ProjectList {
  /** How many match; undefined while that is not known. */
  total: number | undefined;
  /** A row, once it was read. */
  rowAt: (index: number) => ProjectSummary | undefined;
  /** Reads the rows that are on screen. */
  showRange: (range: Range) => void;
  /** The rows are those of the list before, until the present one was read. */
  isFormer: boolean;
  error: Error | null;
  isReading: boolean;
  readAgain: () => void;
}

/**
 * A list of any length, read where it is looked at: its first page, which also has the total, and the pages on screen. What was
 * read stays in memory, and events refresh only what is on screen.
 */
export function useProjectList(o: OrganizationId, filter: ProjectFilter, sort: ProjectSort): ProjectList {
  const [range, setRange] = useState<Range>({ first: 0, last: 0 });
  const showRange = usePaced(setRange, settledAfterMs);
  const begin = useQuery({ ...projectPage(o, filter, sort, 1), placeholderData: keepPreviousData });
  const pages = pagesOf(range, projectsPerPage);
  const others = useQueries({ queries: pages.map((page) => projectPage(o, filter, sort, page)) });
  const rowAt = useRowAt({ o, filter, sort, first: begin.data, isFormer: begin.isPlaceholderData, others });
  return {
    total: begin.data?.total_items,
    rowAt,
    showRange,
    isFormer: begin.isPlaceholderData,
    error: begin.error ?? others.find((each) => each.error)?.error ?? null,
    isReading: begin.isFetching,
    readAgain: () => void cache.refetchQueries({ queryKey: [o, "projects"], type: "active" }),
  };
}

interface RowsInput {
  o: OrganizationId;
  filter: ProjectFilter;
  sort: ProjectSort;
  first: ProjectPage | undefined;
  isFormer: boolean;
  others: readonly { dataUpdatedAt: number }[];
}

/** A row by its index. The function changes when what it finds does, and only then. */
function useRowAt({ o, filter, sort, first, isFormer, others }: RowsInput): ProjectList["rowAt"] {
  const readAt = others.map(({ dataUpdatedAt }) => dataUpdatedAt).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time of the last read is why rows are found again.
  return useMemo(() => {
    // Each page is looked up once: the list asks for all of its rows, and the key of a page is long.
    const pages = new Map<number, ProjectPage | undefined>([[1, first]]);
    const find = (page: number): ProjectPage | undefined => {
      if (!pages.has(page) && !isFormer)
        pages.set(page, cache.getQueryData<ProjectPage>(projectPage(o, filter, sort, page).queryKey));
      return pages.get(page);
    };
    return (index) => find(pageOf(index, projectsPerPage))?.data[index % projectsPerPage];
  }, [o, filter, sort, first, isFormer, readAt]);
}

/** Rows that pass by while one scrolls are not read. */
const settledAfterMs = 60;
