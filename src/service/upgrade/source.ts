import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { copyFile, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { AppError, messageOf } from "../../lib/errors.ts";
import { readText } from "../../lib/http-answers.ts";
import { packageVersion } from "./package-file.ts";
import { mustRun } from "./run-program.ts";
import { isVersion } from "./version-order.ts";

/** Where new versions come from. */
export interface UpdateSource {
  /** The versions that it has, in any order. Throws AppError("unavailable") if it cannot be asked. */
  versions(): Promise<string[]>;
  /** Puts the package of a version into a directory, and returns its path. Throws AppError("unavailable") if it is damaged. */
  fetch(version: string, directory: string): Promise<string>;
}

/** In the directory, or below the URL: made by `sha256sum *.tgz`. Its lines are the packages that there are. */
const sumsFile = "SHA256SUMS";
const sumsLine = /^([0-9a-f]{64}) [ *](longshore-(.+)\.tgz)$/;
const maxSumsBytes = 1_000_000;
const maxPackageBytes = 2_000_000_000;
const askTimeoutMs = 60_000;
const downloadTimeoutMs = 1_800_000;

/** The source of LONGSHORE_UPDATE_SOURCE, a directory or a URL; without it, what npm is configured to use on this machine. */
export function openSource(place: string | undefined): UpdateSource {
  if (place === undefined) return npmSource;
  return sumsSource(/^https?:/.test(place) ? filesAt(place) : filesIn(place));
}

/** One package file. Its sum is compared if there is a list of sums beside it. */
export function fileSource(path: string): UpdateSource {
  return {
    versions: async () => [await packageVersion(path)],
    fetch: async (_, directory) => {
      const files = filesIn(dirname(path));
      const sums = await files.read(sumsFile, maxSumsBytes).catch(() => "");
      const known = packagesIn(sums).find(({ file }) => file === basename(path));
      const copy = join(directory, "longshore.tgz");
      await files.copy(basename(path), copy);
      if (known) await compareSum(copy, known);
      return copy;
    },
  };
}

/** npm compares what it downloads with the integrity that its registry states. */
const npmSource: UpdateSource = {
  versions: async () => {
    // The service has no place for a cache.
    const cache = await mkdtemp(join(tmpdir(), "longshore-npm-"));
    try {
      const view = ["npm", "view", "longshore", "versions", "--json", "--cache", cache];
      return npmVersions(JSON.parse(await mustRun(view, { timeoutMs: askTimeoutMs })) as unknown);
    } finally {
      await rm(cache, { recursive: true, force: true });
    }
  },
  fetch: async (version, directory) => {
    const pack = [
      "npm",
      "pack",
      `longshore@${version}`,
      "--ignore-scripts",
      "--silent",
      "--pack-destination",
      directory,
    ];
    const output = await mustRun(pack, { timeoutMs: downloadTimeoutMs });
    return join(directory, basename(output.trimEnd().split("\n").at(-1) ?? ""));
  },
};

/** One version is a text, several are a list. */
const npmVersions = (answer: unknown): string[] =>
  [answer].flat().filter((version) => typeof version === "string" && isVersion(version)) as string[];

interface Files {
  read(name: string, maxBytes: number): Promise<string>;
  copy(name: string, to: string): Promise<void>;
}

function sumsSource(files: Files): UpdateSource {
  const list = async () => packagesIn(await files.read(sumsFile, maxSumsBytes));
  return {
    versions: async () => (await list()).map(({ version }) => version),
    fetch: async (version, directory) => {
      const found = (await list()).find((each) => each.version === version);
      if (!found)
        throw new AppError("unavailable", `${sumsFile} of the update source has no longshore-${version}.tgz.`);
      const copy = join(directory, found.file);
      await files.copy(found.file, copy);
      await compareSum(copy, found);
      return copy;
    },
  };
}

interface ListedPackage {
  sum: string;
  file: string;
  version: string;
}

function packagesIn(sums: string): ListedPackage[] {
  return sums.split("\n").flatMap((line) => {
    const [, sum = "", file = "", version = ""] = sumsLine.exec(line.trimEnd()) ?? [];
    return isVersion(version) ? [{ sum, file, version }] : [];
  });
}

async function compareSum(path: string, { sum, file }: ListedPackage): Promise<void> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  if (hash.digest("hex") === sum) return;
  throw new AppError(
    "unavailable",
    `${file} is damaged: it is not the file that ${sumsFile} of the update source lists.`,
  );
}

function filesIn(directory: string): Files {
  const doing = async <Result>(name: string, work: (path: string) => Promise<Result>): Promise<Result> => {
    const path = join(directory, name);
    try {
      return await work(path);
    } catch (cause) {
      throw unavailable(path, cause);
    }
  };
  return {
    read: (name, maxBytes) =>
      doing(name, async (path) => {
        if ((await stat(path)).size > maxBytes) throw new Error("it is too large");
        return readFile(path, "utf8");
      }),
    copy: (name, to) => doing(name, (path) => copyFile(path, to)),
  };
}

function filesAt(url: string): Files {
  const asking = async <Result>(
    name: string,
    timeoutMs: number,
    read: (body: ReadableStream<Uint8Array> | null) => Promise<Result>,
  ): Promise<Result> => {
    const address = `${url.replace(/\/+$/, "")}/${name}`;
    try {
      const answer = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) });
      if (!answer.ok) throw new Error(`it answers ${answer.status}`);
      return await read(answer.body);
    } catch (cause) {
      throw unavailable(address, cause);
    }
  };
  return {
    read: (name, maxBytes) => asking(name, askTimeoutMs, (body) => readText(body, maxBytes)),
    copy: (name, to) =>
      asking(name, downloadTimeoutMs, async (body) => {
        if (body) await pipeline(Readable.fromWeb(body), atMost(maxPackageBytes), createWriteStream(to));
      }),
  };
}

/** Fails when more bytes pass. */
function atMost(limit: number): Transform {
  let size = 0;
  return new Transform({
    transform: (piece: Buffer, _, done) => {
      size += piece.length;
      done(size > limit ? new Error("it is too large") : null, piece);
    },
  });
}

const unavailable = (what: string, cause: unknown): AppError =>
  new AppError("unavailable", `The update source could not be read: ${what}: ${messageOf(cause)}.`, { cause });
