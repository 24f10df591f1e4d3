import { Readable } from "node:stream";
import type { Pool } from "pg";
import type { Static } from "typebox";
import type { Db } from "../../db/sql.ts";
import { linesOf } from "../../engine/runs/await-run.ts";
import { type LogPageRequest, type LogPart, readLog, searchLog } from "../../engine/runs/log.ts";
import { listOutputEnds, listOutputFrom, type ShownOutput } from "../../engine/runs/output.ts";
import type { LogSearchQuery } from "../../http/logs.ts";
import type { WithHooks } from "../../lib/hooks.ts";
import { procedureOf } from "./hooks.ts";
import { type DeploymentRow, isEndedStatus } from "./schema.ts";

type Logged = Pick<DeploymentRow, "id" | "run_id" | "status" | "process_type">;

export const listLogParts = (db: Db, ctx: WithHooks, deployment: Logged): Promise<LogPart[]> =>
  procedureOf(ctx, deployment).listLogParts(db, deployment);

/** The offset in the log of a line that a run of the deployment printed. */
export async function offsetInLog(
  db: Db,
  ctx: WithHooks,
  deployment: Logged,
  { runId, offset }: { runId: number; offset: number },
): Promise<number> {
  const parts = await listLogParts(db, ctx, deployment);
  return (parts.find((part) => part.runId === runId)?.base ?? 0) + offset;
}

/**
 * How much of a longer log is in a deployment's record, of the user's lines and of the platform's each: the beginning, and the
 * end, which shows why it failed. A response is built in memory and takes five times its size, and a client that waits for the
 * end asks repeatedly.
 */
const shown = { first: 256 * 1024, last: 768 * 1024 };

const bytesAtOnce = 256 * 1024;

/** The lines of the record's `output`. */
export async function readOutput(db: Db, id: number, parts: readonly LogPart[]) {
  const runIds = parts.map(({ runId }) => runId);
  const pieces = runIds.length === 0 ? [] : await listOutputEnds(db, runIds, shown);
  const payload = (audience: "client" | "system") =>
    shownLines(
      id,
      pieces.filter((each) => each.audience === audience),
    );
  return { client_payload: payload("client"), system_payload: payload("system") };
}

function shownLines(id: number, pieces: readonly ShownOutput[]): string[] {
  const lines: string[] = [];
  const texts: string[] = [];
  let end = 0;
  for (const [at, { run_id: runId, text, before }] of pieces.entries()) {
    // A run does not continue the line at which the one before it ended.
    if (before > end || runId !== pieces[at - 1]?.run_id) lines.push(...linesOf(texts.splice(0)));
    if (before > end) {
      const bytes = (before - end).toLocaleString("en-US");
      lines.push(`[${bytes} bytes are left out here; /api/v1/deployments/${id}/log.txt has the whole log]`);
    }
    texts.push(text);
    end = before + Buffer.byteLength(text);
  }
  return lines.concat(linesOf(texts));
}

/** A piece of the log, and the offset of the next one. */
export async function readDeploymentLog(db: Db, ctx: WithHooks, deployment: Logged, page: LogPageRequest) {
  const parts = await listLogParts(db, ctx, deployment);
  return readLog(db, parts, { ...page, hasEnded: isEndedStatus(deployment.status) });
}

/** The lines of the log that contain a text. */
export const searchDeploymentLog = async (
  pool: Pool,
  ctx: WithHooks,
  deployment: Logged,
  query: Static<typeof LogSearchQuery>,
) => searchLog(pool, await listLogParts(pool, ctx, deployment), query);

/** Streams the whole log as text, at the pace of the client. */
export const streamLog = async (pool: Pool, ctx: WithHooks, deployment: Logged): Promise<Readable> =>
  Readable.from(textsOfAll(pool, await listLogParts(pool, ctx, deployment)), { objectMode: false });

async function* textsOfAll(pool: Pool, parts: readonly LogPart[]): AsyncGenerator<string> {
  for (const { runId } of parts) yield* textsOf(pool, runId);
}

async function* textsOf(pool: Pool, runId: number): AsyncGenerator<string> {
  for (let next = 0; ; ) {
    const pieces = await listOutputFrom(pool, runId, next, bytesAtOnce);
    const last = pieces.at(-1);
    if (!last) return;
    yield printable(pieces.map((piece) => piece.text).join(""));
    next = last.journal_offset + 1;
  }
}

/** A log's text for a terminal or an editor: control characters, which could change what it shows, as their pictures. */
export const printable = (text: string): string =>
  text.replaceAll(/\r\n?/g, "\n").replaceAll(/(?![\n\t])\p{Cc}/gu, (character) => {
    // https://www.unicode.org/charts/PDF/U2400.pdf
    const code = character.codePointAt(0) as number;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    return code === 0x7f ? "\u2421" : "\ufffd";
  });
