import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Encoding, makePage, type Page } from "./documents.ts";

/** What `./longshore console build` writes beside the files that it makes. */
export interface BuildRecord {
  /** The digest of the sources. */
  sources: string;
  /** Of the style elements that react-aria adds to the page: `sha256-…`. */
  styleHashes: string[];
  /** The hashed files that this build made. */
  hashed: string[];
  /** What is served besides index.html, by path: an open page still asks for the hashed files of the build before. */
  files: Record<string, BuiltFile>;
}

export interface BuiltFile {
  /** Its ETag. */
  tag: string;
  /** Those besides identity: `app.js.br` and `app.js.gz` are the bodies of `app.js`. */
  encodings: Encoding[];
  /** Whether its name has the digest of its content, so that it never changes. */
  isHashed: boolean;
}

/** Written last: a reader that finds it changed finds everything that it names. */
export const recordFile = "build.json";
export const pageFile = "index.html";

/** The names of encodings in names of files. */
export const suffixes: Record<Encoding, string> = { br: ".br", gzip: ".gz", identity: "" };

export interface ConsoleBuild {
  directory: string;
  page: Page;
  headers: Record<string, string>;
  files: ReadonlyMap<string, BuiltFile>;
}

/** What the record of a build has; undefined if it is of a version that wrote another form, or damaged: it cannot be served. */
export function readRecord(text: string): BuildRecord | undefined {
  try {
    const { sources, styleHashes, hashed, files } = JSON.parse(text) as BuildRecord;
    const isUsable = styleHashes.every(isStyleHash) && Array.isArray(hashed) && Object.values(files).every(isBuiltFile);
    return isUsable ? { sources, styleHashes, hashed, files } : undefined;
  } catch {
    return undefined;
  }
}

const isStyleHash = (hash: string): boolean => /^sha256-[\w+/]{43}=$/.test(hash);
const isBuiltFile = ({ tag, encodings }: BuiltFile): boolean => typeof tag === "string" && Array.isArray(encodings);

/** Returns the build in the directory, also one that was made after the start; undefined while there is none that can be served. */
export function openBuilds(directory: string): () => Promise<ConsoleBuild | undefined> {
  let known: { made: number; build: ConsoleBuild | undefined } | undefined;
  return async () => {
    const record = await stat(join(directory, recordFile)).catch(() => undefined);
    if (!record) return undefined;
    if (known?.made !== record.mtimeMs) known = { made: record.mtimeMs, build: await readBuild(directory) };
    return known.build;
  };
}

async function readBuild(directory: string): Promise<ConsoleBuild | undefined> {
  const [record, page] = await Promise.all([
    readFile(join(directory, recordFile), "utf8"),
    readFile(join(directory, pageFile), "utf8"),
  ]);
  const read = readRecord(record);
  if (!read) return undefined;
  const { styleHashes, files } = read;
  const policy = policyWith(styleHashes);
  const headers = { ...pageHeaders, "Content-Security-Policy": policy };
  return {
    directory,
    // The page at / is for browsers, programs get JSON there.
    page: await makePage(page, {
      type: "text/html; charset=utf-8",
      policy,
      headers: { ...pageHeaders, Vary: "Accept, Accept-Encoding" },
    }),
    headers,
    files: new Map(Object.entries(files)),
  };
}

const pageHeaders = {
  // Browsers without Sec-Fetch-Site name the origin of a write only if its page has a referrer.
  "Referrer-Policy": "same-origin",
  "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), midi=(), payment=(), usb=()",
  "Cross-Origin-Opener-Policy": "same-origin",
};

/** Only what this origin serves runs, and no script can be made of text. The policy `longshore` makes addresses of workers. */
export function policyWith(styleHashes: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${styleHashes.map((hash) => `'${hash}'`).join(" ")}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types longshore",
  ].join("; ");
}
