import type { Method } from "../schema.ts";

// Reads an answer of HTTP/1 as browsers and curl do: what they accept, a site may send. Node's own parser is stricter, and calls
// sites broken that all visitors see.

/** An answer that no visitor could read either. The message ends a sentence that begins with "The answer of … ". */
export class Unreadable extends Error {}

/** As much as curl accepts, for the headers of all answers to a request together. */
const maxHeaderBytes = 300 * 1024;
/** Of a body, with what frames it. */
export const maxBodyBytes = 65_536;

export interface AnswerEvents {
  /** The first line of an answer has arrived. */
  begun: () => void;
  /** The headers of the last answer have arrived, with this status. */
  headed: (status: number) => void;
}

/** The status, once the body or its first 64 KB were read. Rejects with `Unreadable`, with `closedEarly`, or as the pieces do. */
export async function readAnswer(
  pieces: AsyncIterable<Buffer>,
  method: Method,
  { begun, headed }: AnswerEvents,
): Promise<number> {
  const bytes = new Bytes(pieces);
  const { status, fields } = await readHead(bytes, begun);
  headed(status);
  if (method !== "HEAD" && status !== 204 && status !== 304) await readBody(bytes, fields);
  return status;
}

export const closedEarly = Object.assign(new Error("closed"), { code: "ECONNRESET" });

// Headers ------------------------------------------------------------------------------------------------------------------

/** Values by name in small letters, in their order. */
type Fields = ReadonlyMap<string, readonly string[]>;

interface Head {
  status: number;
  fields: Fields;
}

/** Of the answer itself: interim ones come before it. */
async function readHead(bytes: Bytes, begun: () => void): Promise<Head> {
  for (;;) {
    const status = statusOf(await headerLine(bytes));
    begun();
    const fields = await readFields(bytes);
    if (status === 101) throw new Unreadable("switches to another protocol");
    if (status >= 200) return { status, fields };
  }
}

async function headerLine(bytes: Bytes): Promise<string> {
  const line = await bytes.line(maxHeaderBytes);
  if (line === undefined) throw new Unreadable(`has headers of more than ${maxHeaderBytes / 1024} KB`);
  return line;
}

// A reason may be missing, and have any encoding.
function statusOf(line: string): number {
  const [, digits] = /^HTTP\/1\.[01] +([1-9]\d\d)(?!\d)/i.exec(line) ?? [];
  if (digits === undefined) throw new Unreadable("is not HTTP: it does not begin with HTTP/1.1 and a status");
  return Number(digits);
}

async function readFields(bytes: Bytes): Promise<Fields> {
  const fields = new Map<string, string[]>();
  for (;;) {
    const line = await headerLine(bytes);
    if (line === "") return fields;
    // The rest of a value that was folded: no value that counts here is.
    if (/^[ \t]/.test(line)) continue;
    const colon = line.indexOf(":");
    if (colon < 1) throw new Unreadable("is not HTTP: a line among its headers has no name");
    const name = line.slice(0, colon).trim().toLowerCase();
    const values = fields.get(name);
    if (values) values.push(line.slice(colon + 1).trim());
    else fields.set(name, [line.slice(colon + 1).trim()]);
  }
}

// Body ---------------------------------------------------------------------------------------------------------------------

async function readBody(bytes: Bytes, fields: Fields): Promise<void> {
  const end = bytes.taken + maxBodyBytes;
  const codings = (fields.get("transfer-encoding") ?? [])
    .join(",")
    .toLowerCase()
    .replace(/^identity$/, "");
  // With both, the chunks count.
  if (/(?:^|,)\s*chunked\s*$/.test(codings)) return readChunks(bytes, end);
  const length = codings === "" ? lengthOf(fields) : undefined;
  await bytes.skip(Math.min(length ?? Infinity, maxBodyBytes), { mayEnd: length === undefined });
}

/** Undefined: the body ends with the connection. */
function lengthOf(fields: Fields): number | undefined {
  const lengths = (fields.get("content-length") ?? []).flatMap((value) => value.split(",").map((each) => each.trim()));
  const [first, ...others] = [...new Set(lengths)];
  if (first === undefined) return undefined;
  if (!/^\d+$/.test(first) || others.length > 0) {
    throw new Unreadable("has a Content-Length that is no number, or two that differ");
  }
  return Number(first);
}

async function readChunks(bytes: Bytes, end: number): Promise<void> {
  while (bytes.taken < end) {
    const line = await bytes.line(end);
    const size = line === undefined ? Infinity : sizeOf(line);
    // Trailers follow, which nothing here needs.
    if (size === 0) return;
    await bytes.skip(Math.min(size, end - bytes.taken));
    if (bytes.taken < end && (await bytes.line(end))) throw notInChunks();
  }
}

function sizeOf(line: string): number {
  const [, digits] = /^\s*([0-9a-f]{1,16})\s*(?:;|$)/i.exec(line) ?? [];
  if (digits === undefined) throw notInChunks();
  return Number.parseInt(digits, 16);
}

const notInChunks = (): Unreadable => new Unreadable("has a body that is not in chunks, as its headers announce it");

// Bytes --------------------------------------------------------------------------------------------------------------------

/** Bytes as they arrive, by lines and by numbers; in time proportional to them, however small the pieces are. */
class Bytes {
  /** How many were read. */
  taken = 0;
  private rest: Buffer = Buffer.alloc(0);
  private readonly pieces: AsyncIterator<Buffer>;

  constructor(pieces: AsyncIterable<Buffer>) {
    this.pieces = pieces[Symbol.asyncIterator]();
  }

  /**
   * The next line, as latin-1, without its end of CR LF, LF or the connection; undefined when it does not end within the first `most`
   * bytes of all.
   */
  async line(most: number): Promise<string | undefined> {
    const parts: Buffer[] = [];
    for (;;) {
      const isOver = this.rest.length === 0 && !(await this.more());
      if (isOver && parts.length === 0) throw closedEarly;
      const at = this.rest.indexOf(10);
      parts.push(this.take(at === -1 ? this.rest.length : at + 1));
      if (this.taken > most) return undefined;
      if (at !== -1 || isOver)
        return Buffer.concat(parts)
          .toString("latin1")
          .replace(/\r?\n?$/, "");
    }
  }

  /** Reads so many bytes; `mayEnd`: fewer when no more come. */
  async skip(count: number, { mayEnd = false } = {}): Promise<void> {
    for (let left = count; left > 0; ) {
      if (this.rest.length === 0 && !(await this.more())) {
        if (mayEnd) return;
        throw closedEarly;
      }
      left -= this.take(Math.min(left, this.rest.length)).length;
    }
  }

  private take(count: number): Buffer {
    const taken = this.rest.subarray(0, count);
    this.rest = this.rest.subarray(count);
    this.taken += taken.length;
    return taken;
  }

  private async more(): Promise<boolean> {
    const { value, done } = await this.pieces.next();
    if (!done) this.rest = value;
    return !done;
  }
}
