import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { SearchResult } from "../../../contract/types.ts";
import type { OrganizationId } from "../paths.ts";
import { reading } from "./cache.ts";

export type { SearchResult };

/** Records whose name contains the text, the best first. */
export const search = (o: OrganizationId, q: string) =>
  queryOptions({
    ...reading({ organization: o, noun: "search" }, "GET /api/v1/search", { query: { q } }),
    enabled: q !== "",
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
