import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { mustRun } from "./command.ts";
import { exists } from "./exists.ts";
import { withLock } from "./lock.ts";
import { lockFile, stateDirectory } from "./paths.ts";
import { readJson, writeJson } from "./records.ts";

export interface NodeMirrorOptions {
  /** The address to listen on; servers of the sandbox connect to the address of their bridge, so the default is all. */
  host?: string;
  port?: number;
  /** Versions to serve: "24.21.0", or "22" for the newest of a line. Default: the version of this checkout. */
  versions?: readonly string[];
}

export interface NodeMirror {
  /** What to use in place of https://nodejs.org/dist; the host is the given one, or the loopback address. */
  url: string;
  port: number;
  versions: string[];
  close(): Promise<void>;
}

interface Release {
  version: string;
  npm: string;
  date: string;
  /** Missing in older archives. */
  hasHeaders?: boolean;
}

const modules = resolve(import.meta.dirname, "../node_modules");
const arch = process.arch;
const mirrorDirectory = (): string => join(stateDirectory(), "node-mirror");

/**
 * Serves Node's official archives in the layout of nodejs.org/dist, built from npm packages. The archives are built on
 * first use and kept. Both the site's root and /dist answer.
 */
export async function startNodeMirror({
  host = "0.0.0.0",
  port = 0,
  versions,
}: NodeMirrorOptions = {}): Promise<NodeMirror> {
  const releases = await Promise.all((versions ?? [await ownVersion()]).map(ensureRelease));
  const server = createServer((request, response) => {
    answer(releases, request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((listening, failed) => {
    server.once("error", failed);
    server.listen(port, host, listening);
  });
  const actual = (server.address() as AddressInfo).port;
  return {
    url: `http://${host === "0.0.0.0" ? "127.0.0.1" : host}:${actual}`,
    port: actual,
    versions: releases.map(({ version }) => version),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

async function answer(releases: readonly Release[], request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(request.url ?? "/", "http://mirror").pathname.replace(/^\/dist(?=\/)/, "");
  if (path === "/index.json") {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(releases.map(indexEntry)));
    return;
  }
  const file = await fileAt(path);
  if (file === undefined) {
    response.writeHead(404).end("not found\n");
    return;
  }
  response.writeHead(200, { "content-length": (await stat(file)).size });
  if (request.method === "HEAD") response.end();
  else await pipeline(createReadStream(file), response);
}

async function fileAt(path: string): Promise<string | undefined> {
  // Exactly a version and a file: no path that could leave the directory.
  if (!/^\/v\d+\.\d+\.\d+\/[\w-][\w.-]*$/.test(path)) return undefined;
  const file = join(mirrorDirectory(), path);
  return (await exists(file)) ? file : undefined;
}

const longTermNames: Record<string, string> = { "20": "Iron", "22": "Jod", "24": "Krypton" };

const indexEntry = ({ version, npm, date }: Release) => ({
  version: `v${version}`,
  date,
  files: [`linux-${arch}`],
  npm,
  lts: longTermNames[majorOf(version)] ?? false,
  security: false,
});

const majorOf = (version: string): string => version.split(".")[0] ?? version;

const ownVersion = async (): Promise<string> => {
  const text = await readFile(join(modules, `node-linux-${arch}/package.json`), "utf8");
  return (JSON.parse(text) as { version: string }).version;
};

async function ensureRelease(wanted: string): Promise<Release> {
  const version = await exactVersion(wanted);
  const directory = join(mirrorDirectory(), `v${version}`);
  return withLock(lockFile(`node-${version}`), async () => {
    const made = await readJson<Release>(join(directory, "release.json"));
    return made?.hasHeaders ? made : makeRelease(version, directory);
  });
}

async function exactVersion(wanted: string): Promise<string> {
  const version = wanted.replace(/^v/, "");
  if (/^\d+\.\d+\.\d+$/.test(version)) return version;
  const answered = await mustRun(["npm", "view", `node-linux-${arch}@${version}`, "version", "--json"]);
  const found = JSON.parse(answered) as string | string[];
  const newest = Array.isArray(found) ? found.at(-1) : found;
  if (newest === undefined) throw new Error(`There is no Node version ${wanted}.`);
  return newest;
}

async function makeRelease(version: string, directory: string): Promise<Release> {
  const staging = `${directory}.unfinished`;
  await rm(staging, { recursive: true, force: true });
  const name = `node-v${version}-linux-${arch}`;
  const npm = await layOut(version, join(staging, "tree", name), staging);
  await pack(staging, name);
  const release = { version, npm, date: new Date().toISOString().slice(0, 10), hasHeaders: true };
  await writeJson(join(staging, "release.json"), release);
  await rm(join(staging, "tree"), { recursive: true });
  await rm(directory, { recursive: true, force: true });
  await rename(staging, directory);
  return release;
}

/** Fills the folder with the content of the official archive; returns the version of its npm. */
async function layOut(version: string, folder: string, staging: string): Promise<string> {
  await mkdir(join(folder, "lib/node_modules"), { recursive: true });
  await mkdir(join(folder, "bin"));
  const node = await nodePackage(version, staging);
  await cp(join(node, "bin/node"), join(folder, "bin/node"));
  await cp(join(node, "include"), join(folder, "include"), { recursive: true });
  for (const file of ["LICENSE", "README.md"]) await cp(join(node, file), join(folder, file));
  const npm = join(folder, "lib/node_modules/npm");
  await rename(await unpackPackage(`npm@${Number(majorOf(version)) >= 24 ? 11 : 10}`, staging), npm);
  for (const command of ["npm", "npx"]) {
    await symlink(`../lib/node_modules/npm/bin/${command}-cli.js`, join(folder, "bin", command));
  }
  return (JSON.parse(await readFile(join(npm, "package.json"), "utf8")) as { version: string }).version;
}

const nodePackage = async (version: string, staging: string): Promise<string> =>
  version === (await ownVersion())
    ? join(modules, `node-linux-${arch}`)
    : unpackPackage(`node-linux-${arch}@${version}`, staging);

async function unpackPackage(specifier: string, staging: string): Promise<string> {
  const folder = join(staging, "tree", `package-${specifier.split("@")[0]}`);
  await mkdir(folder, { recursive: true });
  await mustRun(["npm", "pack", specifier, "--pack-destination", folder], { cwd: folder });
  const archive = (await readdir(folder)).find((file) => file.endsWith(".tgz"));
  if (archive === undefined) throw new Error(`npm did not pack ${specifier}.`);
  await mustRun(["tar", "-xzf", archive], { cwd: folder });
  return join(folder, "package");
}

async function pack(staging: string, name: string): Promise<void> {
  const archives = [join(staging, `${name}.tar.gz`), join(staging, `${name}.tar.xz`)];
  const [gz = "", xz = ""] = archives;
  const tar = ["tar", "--owner=0", "--group=0", "-C", join(staging, "tree")];
  // The fastest levels: each archive is read only a few times over a local bridge.
  await Promise.all([
    mustRun([...tar, "-I", "gzip -1", "-cf", gz, name]),
    mustRun([...tar, "-I", "xz -0 -T0", "-cf", xz, name]),
  ]);
  const sums = await Promise.all(archives.map(async (file) => `${await sha256(file)}  ${basename(file)}\n`));
  await writeFile(join(staging, "SHASUMS256.txt"), sums.join(""));
}

async function sha256(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}
