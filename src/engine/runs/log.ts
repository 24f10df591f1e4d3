import type { Db } from "../../db/sql.ts";
import { hasOutputFrom, listOutputFrom } from "./output.ts";

// A log in pages: the output of one run, or of several one after the other.

/** A run whose output is part of a log; its offsets are counted from `base` on. */
export interface LogPart {
  runId: number;
  base: number;
  hasEnded: boolean;
}

/** How far apart the bases of a log's parts are: more than a run may print, and a million fit below the largest exact integer. */
export const partBytes = 2 ** 33;

/** A client's request: output from the offset `after` on, about `limit` bytes. */
export interface LogPageRequest {
  after?: number;
  limit?: number;
}

const defaultLimit = 256 * 1024;

/**
 * A page of a log, and where the next one starts. `hasEnded`: no part will be added. Returns at least one piece when there is
 * any from `after` on, and each page consists of whole pieces as they were stored.
 */
export async function readLog(
  db: Db,
  parts: readonly LogPart[],
  { after = 0, limit = defaultLimit, hasEnded }: LogPageRequest & { hasEnded: boolean },
) {
  const isOver = hasEnded && parts.every((part) => part.hasEnded);
  for (const part of partsFrom(parts, after)) {
    const pieces = await listOutputFrom(db, part.runId, Math.max(after - part.base, 0), limit);
    const last = pieces.at(-1);
    if (!last) continue;
    const next = part.base + last.journal_offset + 1;
    const hasMore = await hasMoreFrom(db, parts, next);
    return {
      data: pieces.map(({ journal_offset: offset, ...piece }) => ({ offset: part.base + offset, ...piece })),
      next,
      has_more: hasMore,
      is_complete: isOver && !hasMore,
    };
  }
  return { data: [], next: after, has_more: false, is_complete: isOver };
}

const partsFrom = (parts: readonly LogPart[], offset: number): LogPart[] =>
  parts.filter(({ base }) => offset < base + partBytes);

async function hasMoreFrom(db: Db, parts: readonly LogPart[], next: number): Promise<boolean> {
  for (const part of partsFrom(parts, next)) {
    if (await hasOutputFrom(db, part.runId, Math.max(next - part.base, 0))) return true;
  }
  return false;
}
