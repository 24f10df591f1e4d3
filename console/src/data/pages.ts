// Lists come in pages, from 1; rows are counted from 0.

/** Rows of a list; both ends belong to it. */
export interface Range {
  first: number;
  last: number;
}

/** The page that has a row. */
export const pageOf = (index: number, perPage: number): number => Math.floor(index / perPage) + 1;

/** The pages that a range needs besides the first, which is read anyhow. */
export function pagesOf({ first, last }: Range, perPage: number): number[] {
  const from = Math.max(pageOf(first, perPage), 2);
  const to = pageOf(last, perPage);
  return Array.from({ length: Math.max(to - from + 1, 0) }, (_, index) => from + index);
}
