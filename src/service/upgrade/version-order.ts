import { AppError } from "../../lib/errors.ts";

const form = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:-([0-9A-Za-z.-]{1,64}))?$/;

/** `0.3.0`, or `0.3.0-rc.1`. Nothing else is a version: it becomes part of paths. */
export const isVersion = (text: string): boolean => form.test(text);

/** Whether it has no suffix: those with one are for trying out. */
export const isRelease = (version: string): boolean => isVersion(version) && !version.includes("-");

/** Below 0 if the first is older, above 0 if it is newer; by the rules of semantic versioning. */
export function compareVersions(one: string, other: string): number {
  const [first, second] = [partsOf(one), partsOf(other)];
  const differing = first.numbers.map((number, index) => number - (second.numbers[index] ?? 0)).find((by) => by !== 0);
  if (differing !== undefined) return differing;
  if (first.suffix === second.suffix) return 0;
  if (first.suffix === undefined) return 1;
  if (second.suffix === undefined) return -1;
  return compareSuffixes(first.suffix.split("."), second.suffix.split("."));
}

function partsOf(version: string): { numbers: number[]; suffix: string | undefined } {
  const [, major, minor, patch, suffix] = form.exec(version) ?? [];
  if (major === undefined) throw new AppError("invalid", `"${version}" is no version: it has the form 0.3.1.`);
  return { numbers: [major, minor, patch].map(Number), suffix };
}

/** Numbers come before words, and a suffix that only continues another after it. */
function compareSuffixes(one: string[], other: string[]): number {
  for (const [index, part] of one.entries()) {
    const against = other[index];
    if (against === undefined) return 1;
    if (part === against) continue;
    const [number, second] = [part, against].map((text) => (/^\d+$/.test(text) ? Number(text) : undefined));
    if (number !== undefined && second !== undefined) return number - second;
    if (number !== undefined) return -1;
    if (second !== undefined) return 1;
    return part < against ? -1 : 1;
  }
  return one.length - other.length;
}

/** The newest release; undefined if there is none. */
export const newestRelease = (versions: readonly string[]): string | undefined =>
  versions.filter(isRelease).toSorted(compareVersions).at(-1);

/**
 * The version to install: the one that is wanted, or the newest release. Undefined if none is newer than the installed one. Throws
 * AppError("refused") for one that is not there, or is older.
 */
export function chooseVersion(
  installed: string,
  available: readonly string[],
  wanted: string | undefined,
): string | undefined {
  const version = wanted ?? newestRelease(available);
  if (version === undefined) return undefined;
  const order = compareVersions(version, installed);
  if (order === 0 || (order < 0 && wanted === undefined)) return undefined;
  if (order < 0) throw new AppError("refused", downgrade(installed, version));
  if (available.includes(version)) return version;
  throw new AppError("refused", `There is no version ${version}. The newest release is ${newestOr(available)}.`);
}

const newestOr = (available: readonly string[]): string => newestRelease(available) ?? "unknown";

const downgrade = (installed: string, version: string): string =>
  `Longshore ${version} is older than the installed ${installed}, whose database it cannot read: migrations only go forward. ` +
  "To return to it, restore the backup from before the upgrade; docs/operations.md has the steps under “Upgrade”.";
