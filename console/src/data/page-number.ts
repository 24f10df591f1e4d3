import { useSearchParams } from "react-router";

/** The page of a list that an address names, from 1. */
export const pageNumberIn = (search: URLSearchParams): number =>
  Math.max(1, Math.trunc(Number(search.get("page"))) || 1);

export const usePageNumber = (): number => pageNumberIn(useSearchParams()[0]);
