import { ruleError } from "../../../host/nginx/redirects.ts";
import { invalid } from "../../../lib/errors.ts";
import { redirectRule } from "../../projects/on-server.ts";
import type { RedirectRow } from "../../site-records/schema.ts";
import { apacheLines } from "./htaccess.ts";
import { otherStatus, type ReadLine, statusOf } from "./lines.ts";
import { type IgnoredLineRow, mostLines } from "./schema.ts";

// Reads files of redirects: line by line, each is a number of redirects, nothing, or the reason why it cannot be imported.

export interface Imported {
  redirects: RedirectRow[];
  ignored: IgnoredLineRow[];
}

/** Throws `invalid` for a text with more lines than a file of redirects has: each one that is left out is in the answer. */
export function importedFrom(format: "_redirects" | "htaccess", text: string): Imported {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.length > mostLines)
    throw invalid({ text: `The text can have ${mostLines} lines. It has ${lines.length}.` });
  const read = format === "htaccess" ? apacheLines() : netlifyLine;
  const imported: Imported = { redirects: [], ignored: [] };
  for (const [at, full] of lines.entries()) {
    const line = full.trim();
    const found = line === "" || line.startsWith("#") ? undefined : checked(read(line));
    if (!found) continue;
    if ("redirects" in found) imported.redirects.push(...found.redirects);
    else imported.ignored.push({ line: at + 1, text: line.slice(0, 200), reason: found.reason });
  }
  return imported;
}

function checked(found: ReadLine): ReadLine {
  if (!found || "reason" in found) return found;
  const [error] = found.redirects.flatMap((each) => ruleError(redirectRule(each)) ?? []);
  return error ? { reason: error.sentence } : found;
}

// FROM [QUERY=…] TO [STATUS[!]] [CONDITION=…], where an unescaped # begins a comment.
function netlifyLine(line: string): ReadLine {
  const words = line.replace(/\s#.*$/, "").split(/\s+/);
  const [from = "", to, status = "301", ...more] = words;
  if (to === undefined) return { reason: "The line has no target." };
  if (!from.startsWith("/")) return { reason: "Only paths of the project can be redirected." };
  if (/^[^/:?]+=/.test(to)) return { reason: "Redirects by query are not possible." };
  const known = statusOf(status.replace(/!$/, ""));
  if (known === undefined) return { reason: otherStatus };
  if (more.length > 0) return { reason: "Redirects by country, language, role or cookie are not possible." };
  const match = /\/:|\*/.test(from) ? "pattern" : "exact";
  return { redirects: [{ match, from, to: known === 410 ? null : to, status: known, keeps_query: true }] };
}
