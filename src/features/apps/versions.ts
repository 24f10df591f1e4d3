import type { Context } from "../../context.ts";
import { AppError, messageOf } from "../../lib/errors.ts";
import { readText } from "../../lib/http-answers.ts";
import type { App, AppVersion, Artifact } from "./app.ts";

// The available versions and their download addresses. Longshore ships the versions with their checksums; a mirror stands in for
// the origin. With checksums off, which only tests use, the mirror also decides which versions exist.

type Settings = Pick<Context, "config">;

const indexTimeoutMs = 10_000;
const largestIndexBytes = 64 * 1024;

/** The versions of an application, the newest first. Throws `unavailable` when a mirror without checksums does not answer. */
export async function listVersions({ config }: Settings, app: App): Promise<AppVersion[]> {
  const { appsMirror: mirror, appsChecksums } = config;
  if (mirror === undefined) return [...app.versions];
  if (appsChecksums === "on") {
    return app.versions.map((each) => ({ ...each, archive: mirrored(app, mirror, each.archive) }));
  }
  const newest = app.versions[0] as AppVersion;
  return (await readIndex(`${mirror}/${app.slug}/versions.json`)).map(({ version, file, security }) => ({
    ...newest,
    version,
    isSecurity: security === true,
    archive: { file, url: `${mirror}/${app.slug}/${file}`, checksum: undefined },
  }));
}

/** Further downloads of an application. */
export function toolsOf({ config }: Settings, app: App): Artifact[] {
  const { appsMirror: mirror, appsChecksums } = config;
  if (mirror === undefined) return [...app.tools];
  return app.tools.map((tool) => {
    const here = mirrored(app, mirror, tool);
    return appsChecksums === "on" ? here : { ...here, checksum: undefined };
  });
}

const mirrored = ({ slug }: App, mirror: string, artifact: Artifact): Artifact => ({
  ...artifact,
  url: `${mirror}/${slug}/${artifact.file}`,
});

interface IndexEntry {
  version: string;
  file: string;
  /** Whether it fixes a vulnerability of the previous version. */
  security?: unknown;
}

async function readIndex(url: string): Promise<IndexEntry[]> {
  const text = await fetchText(url).catch((cause: unknown) => {
    throw new AppError("unavailable", `The mirror of applications does not answer: ${messageOf(cause)}`, { cause });
  });
  const entries: unknown = JSON.parse(text);
  if (!Array.isArray(entries)) throw new AppError("unavailable", "The mirror's list of versions is not a list.");
  return entries.filter(isEntry).slice(0, 100);
}

async function fetchText(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(indexTimeoutMs), redirect: "error" });
  if (!response.ok || !response.body) throw new Error(`it answers ${response.status}`);
  return readText(response.body, largestIndexBytes);
}

const isEntry = (entry: unknown): entry is IndexEntry => {
  const { version, file } = (entry ?? {}) as { version?: unknown; file?: unknown };
  return (
    typeof version === "string" &&
    /^\d{1,5}(\.\d{1,5}){0,3}$/.test(version) &&
    typeof file === "string" &&
    /^[\w-][\w.-]{0,100}$/.test(file)
  );
};

/** Negative when `one` is older than `other`. */
export function compareVersions(one: string, other: string): number {
  const numbers = (text: string) => text.split(".").map(Number);
  const [left, right] = [numbers(one), numbers(other)];
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The newest version that runs with this runtime; undefined if the runtime is too old for all. */
export const newestFor = (versions: readonly AppVersion[], runtime: string | undefined): AppVersion | undefined =>
  versions
    .filter((each) => runtime === undefined || compareVersions(each.runtime, runtime) <= 0)
    .toSorted((one, other) => compareVersions(other.version, one.version))[0];

/** The versions to which an installed one can be updated: all, or those that skip no major version. */
export const reachableFrom = (
  { isUpdatedStepwise }: Pick<App, "isUpdatedStepwise">,
  present: string,
  versions: readonly AppVersion[],
): AppVersion[] => versions.filter(({ version }) => !isUpdatedStepwise || majorOf(version) <= majorOf(present) + 1);

const majorOf = (version: string): number => Number(version.split(".")[0]);

/** Whether two versions belong to the same line, within which updates only fix bugs: `6.8.1` and `6.8.5`. */
export const isSameLine = (one: string, other: string): boolean =>
  one.split(".").slice(0, 2).join(".") === other.split(".").slice(0, 2).join(".");
