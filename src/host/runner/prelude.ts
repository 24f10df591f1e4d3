import { scriptsBeside } from "../script-file.ts";
import { lines, type Script } from "../sh.ts";

const script = scriptsBeside(import.meta.url);

/**
 * A step's script with `fail SENTENCE`, and a sentence that is printed last when the script fails for any other reason. `scratch`,
 * when the script sets it, is removed at the end.
 */
export const withPrelude = (sentence: string, body: Script): Script =>
  lines(script("prelude.sh", { failure: sentence }), body);
