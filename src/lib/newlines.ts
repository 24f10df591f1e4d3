/** How many newlines a text has, as a string or as bytes. */
export function countNewlines(text: string | Buffer): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
