import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mustRun } from "../command.ts";
import type { MirrorIndex } from "./artifacts.ts";

// Applications whose archives cannot be fetched on a test machine: small programs of our own replace them (stand-ins/),
// with the files, commands, settings and pages of the real ones that Longshore and its tests use.

interface StandIn {
  versions: readonly string[];
  /** Name of the archive of the application. */
  file: (version: string) => string;
  /** Files in which `@VERSION@` is replaced. */
  versionFile: string;
}

const standIns: Readonly<Record<string, StandIn>> = {
  nextcloud: {
    versions: ["34.0.4", "33.0.9"],
    file: (version) => `nextcloud-${version}.tar.bz2`,
    versionFile: "version.php",
  },
  matomo: {
    versions: ["5.11.2", "5.10.0"],
    file: (version) => `matomo-${version}.tar.gz`,
    versionFile: "core/Version.php",
  },
};

export const standInVersions: MirrorIndex = Object.fromEntries(
  Object.entries(standIns).map(([slug, { versions, file }]) => [
    slug,
    versions.map((version) => ({ version, file: file(version) })),
  ]),
);

/** The archive of a stand-in by its path in the mirror; undefined when the path is not a stand-in's. */
export async function standInArchive(path: string): Promise<Buffer | undefined> {
  for (const [slug, standIn] of Object.entries(standIns)) {
    const version = standIn.versions.find((each) => path === `/${slug}/${standIn.file(each)}`);
    if (version !== undefined) return pack(slug, standIn, version);
  }
  return undefined;
}

async function pack(slug: string, { file, versionFile }: StandIn, version: string): Promise<Buffer> {
  const staging = await mkdtemp(join(tmpdir(), "longshore-stand-in-"));
  try {
    const tree = join(staging, slug);
    await cp(join(import.meta.dirname, "stand-ins", slug), tree, { recursive: true });
    const text = await readFile(join(tree, versionFile), "utf8");
    await writeFile(join(tree, versionFile), text.replaceAll("@VERSION@", version));
    const archive = join(staging, file(version));
    await mustRun(["tar", "--owner=0", "--group=0", "-C", staging, "--auto-compress", "-cf", archive, slug]);
    return await readFile(archive);
  } finally {
    await rm(staging, { recursive: true });
  }
}
