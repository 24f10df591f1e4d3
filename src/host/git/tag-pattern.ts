/** The text of a schema: what a tag's name can have (git check-ref-format), `*` and `?`. */
export const tagPattern = "^[^\\x00-\\x20\\x7f~^:\\\\[]+$";

/** Whether a tag's name fits a pattern as a whole: `*` stands for any characters, also none and also slashes, `?` for one. */
export function matchesTag(pattern: string, tag: string): boolean {
  const [wanted, found] = [[...pattern], [...tag]];
  let [at, read] = [0, 0];
  // Where the last `*` is, and up to where it reaches: what follows it is compared again one character later.
  let [star, reach] = [-1, 0];
  while (read < found.length) {
    if (wanted[at] === "*") {
      [star, reach] = [at, read];
      at++;
    } else if (at < wanted.length && (wanted[at] === "?" || wanted[at] === found[read])) {
      at++;
      read++;
    } else if (star >= 0) {
      at = star + 1;
      reach++;
      read = reach;
    } else return false;
  }
  return wanted.slice(at).every((each) => each === "*");
}
