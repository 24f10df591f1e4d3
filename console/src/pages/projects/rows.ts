import type { ProjectSummary } from "../../data/projects.ts";

/** The place of a project that was not read yet. */
export interface Unread {
  /** The project's, where it is known; else a negative number that no project has. */
  id: number;
  isUnread: true;
}

export type Row = ProjectSummary | Unread;

export const isRead = (row: Row): row is ProjectSummary => !("isUnread" in row);

const placeholders: Unread[] = [];

/** The same object each time, so that a row that did not change is not rendered again. */
const placeholder = (index: number): Unread => {
  placeholders[index] ??= { id: -1 - index, isUnread: true };
  return placeholders[index];
};

interface Read {
  total: number;
  rowAt: (index: number) => ProjectSummary | undefined;
  /** The ids in the order of the list, once all were chosen. */
  ids?: readonly number[] | undefined;
}

/** A row for each project that matches, read or not: so one can go anywhere in the list. */
export const rowsOf = ({ total, rowAt, ids }: Read): Row[] =>
  Array.from({ length: total }, (_, index) => {
    const row = rowAt(index);
    if (row) return row;
    const id = ids?.[index];
    return id === undefined ? placeholder(index) : { id, isUnread: true };
  });
