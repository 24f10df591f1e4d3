const textOid = 25;
const headBytes = 20;
const lengthBytes = 4;

/**
 * A parameter of type `text[]` in PostgreSQL's binary form, from texts without NUL, as strings or in UTF-8. For texts that are
 * large: one copy of their bytes, where the driver makes several strings of them, escapes them and turns them back. `release`
 * it once the statement has ended.
 */
export function textArray(texts: readonly (Buffer | string)[]): Buffer<ArrayBuffer> {
  const lengths = texts.map((text) => Buffer.byteLength(text));
  const array = Buffer.allocUnsafeSlow(lengths.reduce((sum, length) => sum + lengthBytes + length, headBytes));
  // Dimensions, whether there are nulls, the type; then length and lower bound of the one dimension.
  for (const [at, value] of [1, 0, textOid, texts.length, 1].entries()) array.writeInt32BE(value, at * lengthBytes);
  let at = headBytes;
  for (const [index, text] of texts.entries()) {
    array.writeInt32BE(lengths[index] as number, at);
    at += lengthBytes;
    at += typeof text === "string" ? array.write(text, at) : text.copy(array, at);
  }
  return array;
}

/** Gives an array's memory back at once, which a collection does late: an array that outlived two of them, after 60 MB of others. */
export const release = (array: Buffer<ArrayBuffer>): void => void array.buffer.transfer(0);
