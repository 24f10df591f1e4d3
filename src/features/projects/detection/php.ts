import { phpFor, phpRequestIn, phpVersionRequest } from "../../../host/php/choose-php.ts";
import { type PhpVersion, phpVersions } from "../../../host/php/php-versions.ts";
import type { RepositoryFiles } from "./files.ts";
import { objectIn } from "./found.ts";
import type { Proposal } from "./proposal.ts";

/**
 * The version of PHP that a project should choose, as a deployment without `php_version` does, and also by .php-version: null if
 * the project asks for none, or the server's `own` fits. `notes` gets a sentence if no version fits.
 */
export function phpVersionFor(
  { contents }: RepositoryFiles,
  own?: PhpVersion,
): { proposal: Proposal | null; notes: string[] } {
  const [line = ""] = (contents[".php-version"] ?? "").trim().split("\n");
  const request =
    line === "" ? phpRequestIn(objectIn(contents["composer.json"])) : phpVersionRequest(".php-version", line.trim());
  if (request === undefined) return { proposal: null, notes: [] };
  const asks = `${request.by} asks for PHP ${request.text.slice(0, 100)}`;
  const value = phpFor(request, phpVersions, own);
  if (value === undefined) {
    const there = `${phpVersions[0]} to ${phpVersions.at(-1)}`;
    return { proposal: null, notes: [`${asks}, and a project can have ${there}.`] };
  }
  return { proposal: value === own ? null : { value, reason: `${asks}.` }, notes: [] };
}
