import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Files } from "./git-server.ts";

/** The sample projects: one for each family of frameworks. */
export const sampleKinds = ["static", "php", "node"] as const;
export type SampleKind = (typeof sampleKinds)[number];

interface Sample {
  frameworkId: number;
  /** The files that contain their version. */
  versioned: string[];
  sharedDirectories: string[];
}

export const samples: Record<SampleKind, Sample> = {
  static: { frameworkId: 10, versioned: ["index.html", "version.txt"], sharedDirectories: [] },
  php: { frameworkId: 4, versioned: ["version.txt"], sharedDirectories: ["public/uploads"] },
  node: { frameworkId: 8, versioned: ["version.txt"], sharedDirectories: [] },
};

export const firstVersion = "1.0.0";

export const sampleDirectory = (kind: SampleKind): string =>
  fileURLToPath(new URL(`samples/${kind}/`, import.meta.url));

/** The files of a commit that changes the version of a sample. */
export async function filesOfVersion(kind: SampleKind, version: string): Promise<Files> {
  const files = samples[kind].versioned.map(async (path) => {
    const text = await readFile(`${sampleDirectory(kind)}${path}`, "utf8");
    return [path, text.replaceAll(firstVersion, version)] as const;
  });
  return Object.fromEntries(await Promise.all(files));
}

/** The version that a sample's page shows; undefined when it shows none. */
export const versionIn = (page: string): string | undefined => /version (\d+\.\d+\.\d+)/.exec(page)?.[1];
