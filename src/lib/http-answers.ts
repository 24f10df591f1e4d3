/** The body of an answer as text. Throws when it has more than `limit` bytes: an answer must not fill the memory. */
export async function readText(body: AsyncIterable<Uint8Array> | null, limit: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body ?? []) {
    size += piece.byteLength;
    if (size > limit) throw new Error("its answer is too large");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

/**
 * The wait that a Retry-After header requests, in milliseconds; 0 for a date in the past. undefined: no header, or neither
 * seconds nor a date.
 */
export function retryAfterMs(header: string | null | undefined, now: number): number | undefined {
  const value = header?.trim() ?? "";
  // More digits than nine would be a time that no Date can hold.
  if (/^\d{1,9}(\.\d+)?$/.test(value)) return Number(value) * 1_000;
  // Date.parse reads other numbers as years; dates of HTTP have letters.
  const at = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
