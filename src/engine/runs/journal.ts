import type { Cutter } from "../../lib/mask.ts";

/**
 * The content of a run's journal, piece by piece. `at` is in milliseconds since 1970, by the server's clock. Output is a slice
 * of the bytes that were read: a build may print a hundred megabytes, and each string made of them would be garbage.
 */
export type Entry =
  | { type: "output"; bytes: Buffer; offset: number }
  | { type: "run" | "resume"; at: number }
  | { type: "step"; position: number; at: number }
  | { type: "done"; position: number; exitCode: number; durationMs: number; at: number }
  | { type: "undo"; position: number; at: number }
  | { type: "undone"; position: number; exitCode: number; at: number }
  | { type: "fact"; key: string; value: string }
  | { type: "end"; outcome: Outcome; at: number };

export type Outcome = "succeeded" | "failed" | "cancelled";

export interface JournalPiece {
  entries: Entry[];
  /** How many of the bytes the entries cover; the rest is read again with the next piece. */
  consumed: number;
}

const newline = 0x0a;

/** A line longer than this is reported in pieces, so that output without newlines cannot grow memory. */
export const longestLine = 64 * 1024;

/** Output is reported in entries of about this many bytes: the unit in which a log is stored and read. */
export const longestOutput = 64 * 1024;

const anywhere: Cutter = { reach: 0, cut: (_bytes, end) => end };

/**
 * Parses a piece of the journal. A pure function: the same bytes at the same offset always give the same entries, so a follower
 * that continues from a stored offset neither loses nor doubles a line. Consecutive lines of output are one entry, up to
 * `longestOutput`.
 *
 * @param bytes from `offset` on, which is the start of the journal or the end of the consumed part of an earlier piece
 * @param cutter decides where a line that is too long may be cut
 */
export function readJournal(bytes: Buffer, offset: number, nonce: string, cutter = anywhere): JournalPiece {
  // A record starts with its own newline.
  const border = Buffer.from(`\n\x1e${nonce} `);
  const entries: Entry[] = [];
  let at = 0;
  for (let before = -1; at > before; ) {
    before = at;
    at = isRecord(bytes, at, border)
      ? readRecord(entries, bytes, at, border)
      : readLines(entries, bytes, { at, offset, border });
  }
  const isTooLong = at === 0 && bytes.length > longestLine + cutter.reach;
  return isTooLong ? pieceOfLine(bytes, offset, cutter) : { entries, consumed: at };
}

const isRecord = (bytes: Buffer, at: number, border: Buffer): boolean =>
  border.compare(bytes, at, Math.min(at + border.length - 1, bytes.length), 1) === 0;

/** Returns where the record ends, or where it begins when it is incomplete. */
function readRecord(entries: Entry[], bytes: Buffer, at: number, border: Buffer): number {
  const end = bytes.indexOf(newline, at);
  if (end === -1) return at;
  pushRecord(entries, bytes.toString("utf8", at + border.length - 1, end));
  return end + 1;
}

interface Lines {
  at: number;
  offset: number;
  border: Buffer;
}

/** Returns where the rest starts: a record, or an incomplete line. */
function readLines(entries: Entry[], bytes: Buffer, { at, offset, border }: Lines): number {
  const record = bytes.indexOf(border, at);
  const end = record === -1 ? endOfLines(bytes, at, border) : endBefore(bytes, at, record);
  for (let from = at; from < end; ) {
    const to = end - from > longestOutput ? bytes.indexOf(newline, from + longestOutput - 1) + 1 : end;
    entries.push({ type: "output", bytes: bytes.subarray(from, to), offset: offset + from });
    from = to;
  }
  return record === -1 ? end : record + 1;
}

// The record's own newline ends a line of output that had none; after a line that had one, it makes an empty line which
// is not output.
const endBefore = (bytes: Buffer, at: number, record: number): number =>
  record === at || bytes[record - 1] === newline ? record : record + 1;

// Whether an empty line is output or part of a record is unknown until the bytes after it have arrived.
function endOfLines(bytes: Buffer, at: number, border: Buffer): number {
  const last = bytes.lastIndexOf(newline);
  if (last < at) return at;
  const isEmpty = last === at || bytes[last - 1] === newline;
  const mayBeRecord = isEmpty && border.subarray(0, bytes.length - last).equals(bytes.subarray(last));
  return mayBeRecord ? last : last + 1;
}

// Cuts before a character's first byte, so that no character is split. Some of the line is left for the next piece:
// only there it is certain whether the newline after it is the line's own or a record's.
function pieceOfLine(bytes: Buffer, offset: number, { cut }: Cutter): JournalPiece {
  let end = longestLine;
  while (end > longestLine - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  end = cut(bytes, end);
  return { entries: [{ type: "output", bytes: bytes.subarray(0, end), offset }], consumed: end };
}

// Ranges that the database and a date can hold. A server chooses the values it sends: a number outside of the range
// does not count as a number.
const position = { min: 0, max: 9_999 };
const exitCode = { min: 0, max: 255 };
// Negative when the server's clock was set back.
const duration = { min: -(2 ** 52), max: 2 ** 52 };
const time = { min: 0, max: Date.UTC(9999, 11, 31) };

const longestRecord = 32 * 1024;

// A torn record (full disk) is followed by a whole one: the parser skips what it cannot understand.
function pushRecord(entries: Entry[], record: string): void {
  if (record.length > longestRecord) return;
  const [type, ...words] = record.split(" ");
  const [a, b, c, d] = words.map(Number) as [number, number, number, number];
  const are = (...ranges: { min: number; max: number }[]) =>
    words.length === ranges.length && ranges.every((range, at) => isWithin(words[at] as string, range));
  if ((type === "run" || type === "resume") && are(time)) entries.push({ type, at: a });
  else if ((type === "step" || type === "undo") && are(position, time)) entries.push({ type, position: a, at: b });
  else if (type === "done" && are(position, exitCode, duration, time))
    entries.push({ type, position: a, exitCode: b, durationMs: Math.max(c, 0), at: d });
  else if (type === "undone" && are(position, exitCode, time)) entries.push({ type, position: a, exitCode: b, at: c });
  else if (type === "fact" && words[0]) entries.push({ type, key: words[0], value: words.slice(1).join(" ") });
  else if (type === "end" && words.length === 2 && isOutcome(words[0]) && isWithin(words[1] as string, time))
    entries.push({ type, outcome: words[0], at: b });
}

const isWithin = (word: string, { min, max }: { min: number; max: number }): boolean =>
  /^-?\d{1,16}$/.test(word) && Number(word) >= min && Number(word) <= max;

const isOutcome = (word: string | undefined): word is Outcome =>
  word === "succeeded" || word === "failed" || word === "cancelled";
