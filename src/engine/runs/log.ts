import type { Pool } from "pg";
import type { Db } from "../../db/sql.ts";
import { invalid } from "../../lib/errors.ts";
import { limitConcurrency } from "../../lib/limit.ts";
import { countNewlines } from "../../lib/newlines.ts";
import {
  countLines,
  type FoundLine,
  findLineBefore,
  findLines,
  findOffsetOfLine,
  hasOutputFrom,
  listOutputFrom,
  listStepLines,
  measureOutput,
  type OutputSize,
} from "./output.ts";
import { listStepsOfRuns } from "./queries.ts";

// A log in pages: the output of one run, or of several one after the other.

/** A run whose output is part of a log; its offsets are counted from `base` on. */
export interface LogPart {
  runId: number;
  base: number;
  hasEnded: boolean;
}

/** How far apart the bases of a log's parts are: more than a run may print, and a million fit below the largest exact integer. */
export const partBytes = 2 ** 33;

/**
 * A client's request: about `limit` bytes of output, from the offset `after` on, or lines: `max_lines` from `from_line` on (1 is the
 * first), those before `before_line`, or the last `tail` ones.
 */
export interface LogPageRequest {
  after?: number;
  limit?: number;
  from_line?: number;
  before_line?: number;
  tail?: number;
  max_lines?: number;
}

/** A piece of a log; lines are counted from 0 here, and from 1 for clients. */
export interface LogPiece {
  offset: number;
  step: string | null;
  audience: "system" | "client";
  text: string;
  line: number;
}

/** A part with what it has so far; `linesBefore` are those of the parts before it. */
interface MeasuredPart extends LogPart, OutputSize {
  linesBefore: number;
}

/** Lines of a log: from, and up to without. */
interface Range {
  from: number;
  to: number;
  /** Whether its end counts where it is too long, rather than its beginning. */
  isOfEnd?: true;
}

const defaultLimit = 256 * 1024;
const defaultLines = 500;
/** More than a piece has: lines up to its usual size, and one that is long. */
const longestPiece = 256 * 1024;

/**
 * A page of a log, and where the next one starts. `hasEnded`: no part will be added. A page from an offset on consists of whole
 * pieces as they were stored, and has at least one when there is any; one of lines begins and ends with whole lines.
 */
export async function readLog(
  db: Db,
  parts: readonly LogPart[],
  { limit = defaultLimit, hasEnded, ...request }: LogPageRequest & { hasEnded: boolean },
) {
  const measured = await measure(db, parts);
  const total = sum(measured.map(({ lines }) => lines));
  const range = await withinBytes(db, measured, rangeOf(request, total), limit);
  const start = range ? await offsetOfLine(db, measured, range.from) : (request.after ?? 0);
  const page = await readPage(db, measured, start, range?.isOfEnd ? limit + longestPiece : limit);
  const pieces = range ? page.pieces.map((piece) => cut(piece, range)).filter(({ text }) => text !== "") : page.pieces;
  const isCut = range !== undefined && page.pieces.some((piece) => piece.line + countNewlines(piece.text) > range.to);
  const next = isCut ? (pieces.at(-1)?.offset ?? start) : page.next;
  const hasMore = isCut || (await hasMoreFrom(db, parts, next));
  return {
    data: pieces.map(({ line, ...piece }) => ({ ...piece, first_line: line + 1 })),
    next,
    has_more: hasMore,
    is_complete: hasEnded && parts.every((part) => part.hasEnded) && !hasMore,
    total_lines: total,
    total_bytes: sum(measured.map(({ bytes }) => bytes)),
  };
}

async function measure(db: Db, parts: readonly LogPart[]): Promise<MeasuredPart[]> {
  const runIds = parts.map(({ runId }) => runId);
  const sizes = await measureOutput(db, runIds);
  let linesBefore = 0;
  return parts.map((part) => {
    const size = sizes.get(part.runId) ?? { lines: 0, bytes: 0 };
    linesBefore += size.lines;
    return { ...part, ...size, linesBefore: linesBefore - size.lines };
  });
}

/** A place in a log: a piece, and the first of its lines that counts, from 0. */
export interface LogPlace {
  offset: number;
  line: number;
}

/** A place as requests name it. */
export type LogStart = Pick<LogPageRequest, "after" | "from_line" | "tail">;

/** The place that a request names, to read on from there with `readPieces`. */
export async function findPlace(db: Db, parts: readonly LogPart[], request: LogStart): Promise<LogPlace> {
  if (request.from_line === undefined && request.tail === undefined) return { offset: request.after ?? 0, line: 0 };
  const measured = await measure(db, parts);
  const range = rangeOf(request, sum(measured.map(({ lines }) => lines))) ?? { from: 0 };
  return { offset: await offsetOfLine(db, measured, range.from), line: range.from };
}

/**
 * The pieces from a place on, at least one when there is any and about `limit` bytes, and the offset of the next one. Of output that
 * does not change any more it is always the same.
 */
export async function readPieces(db: Db, parts: readonly LogPart[], { offset, line }: LogPlace, limit: number) {
  // Only lines of earlier parts are counted.
  const measured = parts.length === 1 ? parts.map(alone) : await measure(db, parts);
  const { pieces, next } = await readPage(db, measured, offset, limit);
  const range = { from: line, to: Number.POSITIVE_INFINITY };
  return {
    pieces: line === 0 ? pieces : pieces.map((piece) => cut(piece, range)).filter(({ text }) => text !== ""),
    next,
  };
}

const alone = (part: LogPart): MeasuredPart => ({ ...part, lines: 0, bytes: 0, linesBefore: 0 });

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** The lines that a request names; undefined when it names none. */
function rangeOf({ after, from_line, before_line, tail, max_lines }: LogPageRequest, total: number): Range | undefined {
  const places = { after, ...(after !== undefined && { max_lines }), from_line, before_line, tail };
  const starts = Object.entries(places).filter(([, value]) => value !== undefined);
  if (starts.length > 1) {
    const [, [name = ""] = []] = starts;
    throw invalid({
      [name]: `A page begins at one place: send only one of ${starts.map(([each]) => each).join(", ")}.`,
    });
  }
  // A line that is not complete yet is one.
  if (tail !== undefined) return { from: Math.max(0, total - tail), to: Number.POSITIVE_INFINITY, isOfEnd: true };
  if (before_line !== undefined) {
    const to = before_line - 1;
    return { from: Math.max(0, to - (max_lines ?? defaultLines)), to, isOfEnd: true };
  }
  if (from_line === undefined && max_lines === undefined) return undefined;
  const from = (from_line ?? 1) - 1;
  return { from, to: from + (max_lines ?? defaultLines) };
}

/** The range; of one whose end counts, the part before it that a page of so many bytes has. */
async function withinBytes(
  db: Db,
  parts: readonly MeasuredPart[],
  range: Range | undefined,
  bytes: number,
): Promise<Range | undefined> {
  const part = parts.findLast(({ linesBefore, lines }) => lines > 0 && linesBefore < (range?.to ?? 0));
  if (!range?.isOfEnd || !part) return range;
  const last = Math.min(range.to, part.linesBefore + part.lines) - 1;
  const first = part.linesBefore + (await findLineBefore(db, part.runId, last - part.linesBefore, bytes));
  return { ...range, from: Math.max(range.from, first) };
}

/** Where the piece with a line begins; the end of the log if there is no such line yet. */
async function offsetOfLine(db: Db, parts: readonly MeasuredPart[], line: number): Promise<number> {
  const part = parts.findLast(({ linesBefore, lines }) => lines > 0 && linesBefore <= line) ?? parts.at(0);
  if (!part) return 0;
  return part.base + (await findOffsetOfLine(db, part.runId, line - part.linesBefore));
}

/** Pieces of one part from an offset on, as far as `limit` bytes. */
async function readPage(db: Db, parts: readonly MeasuredPart[], from: number, limit: number) {
  for (const { runId, base, linesBefore } of partsFrom(parts, from)) {
    const stored = await listOutputFrom(db, runId, Math.max(from - base, 0), limit);
    const last = stored.at(-1);
    if (!last) continue;
    const pieces = stored.map(
      ({ journal_offset: offset, lines_before: lines, ...piece }): LogPiece => ({
        offset: base + offset,
        ...piece,
        line: linesBefore + lines,
      }),
    );
    return { pieces, next: base + last.journal_offset + 1 };
  }
  return { pieces: [], next: from };
}

const partsFrom = <Part extends LogPart>(parts: readonly Part[], offset: number): Part[] =>
  parts.filter(({ base }) => offset < base + partBytes);

async function hasMoreFrom(db: Db, parts: readonly LogPart[], next: number): Promise<boolean> {
  for (const part of partsFrom(parts, next)) {
    if (await hasOutputFrom(db, part.runId, Math.max(next - part.base, 0))) return true;
  }
  return false;
}

/** The steps of a log's runs, with the places of their output in the log. */
export async function listLogSteps(db: Db, parts: readonly LogPart[]) {
  const runIds = parts.map(({ runId }) => runId);
  const [steps, places, measured] = await Promise.all([
    listStepsOfRuns(db, runIds),
    listStepLines(db, runIds),
    measure(db, parts),
  ]);
  const placeOf = new Map(places.map((place) => [`${place.run_id} ${place.position}`, place]));
  return measured.flatMap(({ runId, linesBefore }) =>
    steps
      .filter((step) => step.run_id === runId)
      .map((step) => {
        const place = placeOf.get(`${runId} ${step.position}`);
        return { ...step, first_line: place ? linesBefore + place.first + 1 : null, lines: place?.lines ?? 0 };
      }),
  );
}

// Search -----------------------------------------------------------------------------------------------------------------

const foundAtOnce = 100;
const mostCounted = 10_000;
const countMs = 2_000;
// A search reads the whole log, on a connection that requests need.
const inTurn = limitConcurrency(2);

/** The first lines from `from_line` on that contain the text, in any case, and how many there are in the whole log. */
export const searchLog = (
  pool: Pool,
  parts: readonly LogPart[],
  query: { q: string; from_line?: number },
): Promise<Found> => inTurn(() => search(pool, parts, query));

interface Found {
  matches: FoundLine[];
  /** null: it takes too long to count them. */
  total: number | null;
  next_line: number | null;
}

async function search(
  pool: Pool,
  parts: readonly LogPart[],
  { q: text, from_line: fromLine = 1 }: { q: string; from_line?: number },
): Promise<Found> {
  const matches: FoundLine[] = [];
  const measured = await measure(pool, parts);
  for (const { runId, linesBefore, lines } of measured) {
    if (fromLine > linesBefore + lines + 1) continue;
    // One more shows whether there are further ones.
    const limit = foundAtOnce + 1 - matches.length;
    const found = await findLines(pool, runId, { text, from: Math.max(0, fromLine - 1 - linesBefore), limit });
    matches.push(...found.map((each) => ({ ...each, line: linesBefore + each.line + 1 })));
  }
  const isAll = fromLine === 1 && matches.length <= foundAtOnce;
  const total = isAll ? matches.length : await countMatches(pool, measured, text);
  return { matches: matches.slice(0, foundAtOnce), total, next_line: matches.at(foundAtOnce)?.line ?? null };
}

async function countMatches(pool: Pool, parts: readonly LogPart[], text: string): Promise<number | null> {
  let total = 0;
  for (const { runId } of parts) {
    const count = await countLines(pool, runId, text, { most: mostCounted - total, withinMs: countMs });
    if (count === undefined) return null;
    total += count;
  }
  return total;
}

// Lines of a piece -------------------------------------------------------------------------------------------------------

/** The lines of a piece that are in the range; without text if none is. */
function cut(piece: LogPiece, { from, to }: Range): LogPiece {
  const start = offsetAfterNewlines(piece.text, from - piece.line);
  const end = to <= piece.line ? 0 : offsetAfterNewlines(piece.text, to - piece.line);
  return { ...piece, text: piece.text.slice(start, end), line: Math.max(piece.line, from) };
}

/** Where the text continues after so many newlines; its end if it has fewer. */
function offsetAfterNewlines(text: string, count: number): number {
  let at = 0;
  for (let seen = 0; seen < count; seen++) {
    const newline = text.indexOf("\n", at);
    if (newline === -1) return text.length;
    at = newline + 1;
  }
  return at;
}
