const textOid = 25;
const headBytes = 20;
const lengthBytes = 4;

/**
 * A parameter of type `text[]` in PostgreSQL's binary form, from texts in UTF-8 without NUL. For texts that are large: one
 * copy of their bytes, where the driver makes several strings of them, escapes them and turns them back. `release` it once
 * the statement has ended.
 */
export function textArray(texts: readonly Buffer[]): Buffer<ArrayBuffer> {
  const array = Buffer.allocUnsafeSlow(texts.reduce((sum, text) => sum + lengthBytes + text.length, headBytes));
  // Dimensions, whether there are nulls, the type; then length and lower bound of the one dimension.
  for (const [at, value] of [1, 0, textOid, texts.length, 1].entries()) array.writeInt32BE(value, at * lengthBytes);
  let at = headBytes;
  for (const text of texts) {
    array.writeInt32BE(text.length, at);
    at += lengthBytes + text.copy(array, at + lengthBytes);
  }
  return array;
}

/** Gives an array's memory back at once, which a collection does late: an array that outlived two of them, after 60 MB of others. */
export const release = (array: Buffer<ArrayBuffer>): void => void array.buffer.transfer(0);
