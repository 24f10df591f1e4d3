import { Readable } from "node:stream";
import type { Pool } from "pg";
import type { Db } from "../../db/sql.ts";
import { linesOf } from "../../engine/await-run.ts";
import { hasOutputFrom, listOutputEnds, listOutputFrom } from "../../engine/queries.ts";
import { type DeploymentRow, isEndedStatus } from "./schema.ts";

type Logged = Pick<DeploymentRow, "id" | "run_id" | "status">;

/**
 * What a deployment's record shows of its log at most, for the user's lines and for the platform's: the beginning, and
 * the end, which says why it failed. An answer is built in memory; a log may be larger than that.
 */
const shown = { first: 1 << 20, last: 3 << 20 };

const bytesAtOnce = 256 * 1024;

/** The lines of the record's `output`. */
export async function readOutput(db: Db, { id, run_id: runId }: Logged) {
  const pieces = runId === null ? [] : await listOutputEnds(db, runId, shown);
  const payload = (audience: "client" | "system") =>
    shownLines(
      id,
      pieces.filter((each) => each.audience === audience),
    );
  return { client_payload: payload("client"), system_payload: payload("system") };
}

function shownLines(id: number, pieces: { text: string; before: number; total: number }[]): string[] {
  const lines: string[] = [];
  let texts: string[] = [];
  let end = 0;
  for (const { text, before } of pieces) {
    if (before > end) {
      lines.push(...linesOf(texts), leftOut(id, before - end));
      texts = [];
    }
    texts.push(text);
    end = before + Buffer.byteLength(text);
  }
  return lines.concat(linesOf(texts));
}

const leftOut = (id: number, bytes: number): string =>
  `[${bytes.toLocaleString("en-US")} bytes are left out here; /api/v1/deployments/${id}/log.txt has the whole log]`;

/** A part of the log, and where the next one begins. */
export async function readLog(db: Db, { run_id: runId, status }: Logged, after: number, limit: number) {
  const pieces = runId === null ? [] : await listOutputFrom(db, runId, after, limit);
  const last = pieces.at(-1);
  const next = last ? last.journal_offset + 1 : after;
  const hasMore = last !== undefined && runId !== null && (await hasOutputFrom(db, runId, next));
  return {
    data: pieces.map(({ journal_offset: offset, ...piece }) => ({ offset, ...piece })),
    next,
    has_more: hasMore,
    is_complete: isEndedStatus(status) && !hasMore,
  };
}

/** The whole log as text, read on at the pace of whoever takes it. */
export const streamLog = (pool: Pool, { run_id: runId }: Logged): Readable =>
  Readable.from(runId === null ? [] : textsOf(pool, runId), { objectMode: false });

async function* textsOf(pool: Pool, runId: number): AsyncGenerator<string> {
  for (let next = 0; ; ) {
    const pieces = await listOutputFrom(pool, runId, next, bytesAtOnce);
    const last = pieces.at(-1);
    if (!last) return;
    yield pieces.map((piece) => piece.text).join("");
    next = last.journal_offset + 1;
  }
}
