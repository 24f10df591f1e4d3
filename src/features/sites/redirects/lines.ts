import type { RuleStatus } from "../../../host/nginx/model.ts";
import { ruleStatuses } from "../../../host/nginx/redirects.ts";
import type { RedirectRow } from "../../site-records/schema.ts";

// What a line of a file of redirects can be, whatever its format.

/** Redirects, the reason why there is none, or nothing of interest. */
export type ReadLine = { redirects: RedirectRow[] } | { reason: string } | undefined;

/** A function for each file, since a line can depend on those before it. */
export type LineReader = () => (line: string) => ReadLine;

export const otherStatus = `Only redirects are imported: ${ruleStatuses.slice(0, -1).join(", ")} and 410.`;

export const statusOf = (text: string): RuleStatus | undefined =>
  ruleStatuses.find((status) => String(status) === text);
