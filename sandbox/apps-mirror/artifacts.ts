import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { mustRun } from "../command.ts";
import { withLock } from "../lock.ts";
import { lockFile, stateDirectory } from "../paths.ts";
import { readJson, writeJson } from "../records.ts";
import { candidateOf, md5Of, type Suite, settle, unpackPackages } from "./debian.ts";

/** A version of an application in the mirror. */
export interface MirroredVersion {
  version: string;
  file: string;
}

/** Maps a slug to its versions, newest first. */
export type MirrorIndex = Record<string, MirroredVersion[]>;

const suites: readonly Suite[] = ["sid", "trixie", "bookworm"];

export const artifactsDirectory = (): string => join(stateDirectory(), "apps-mirror/files");

/** Builds all applications from Debian's packages; existing results are kept. */
export const ensureArtifacts = (): Promise<MirrorIndex> =>
  withLock(lockFile("apps-mirror"), async () => {
    const index = join(artifactsDirectory(), "index.json");
    const made = await readJson<MirrorIndex>(index);
    if (made) return made;
    const found: MirrorIndex = { app_cms: [], app_dbadmin: [] };
    for (const suite of suites) {
      found.app_cms?.push(await wordpress(suite));
      found.app_dbadmin?.push(await adminer(suite));
    }
    await writeJson(index, found);
    return found;
  }).then((debian) => ({ ...debian, ...fromNpm }));

// npm on the managed server fetches these from its registry: the mirror only lists their versions.
const fromNpm: MirrorIndex = Object.fromEntries(
  Object.entries({
    "node-red": ["5.0.7", "4.1.0"],
    n8n: ["2.41.1", "2.40.7"],
    ghost: ["6.65.0", "6.63.0"],
    directus: ["12.4.0", "12.3.1"],
  }).map(([name, versions]) => [name, versions.map((version) => ({ version, file: `${name}-${version}.tgz` }))]),
);

async function wordpress(suite: Suite): Promise<MirroredVersion> {
  const version = await upstreamVersion(suite, "wordpress");
  const directory = join(artifactsDirectory(), "app_cms");
  const staging = join(artifactsDirectory(), `wordpress-${suite}.unfinished`);
  await rm(staging, { recursive: true, force: true });
  const root = join(staging, "root");
  const theme = suite === "bookworm" ? "twentytwentythree" : "twentytwentyfive";
  const needed = ["libjs-cropper", "libjs-underscore", "php-getid3"];
  const newer = suite === "bookworm" ? [] : ["libjs-lodash"];
  const newest = suite === "sid" ? ["libjs-jquery-ui", "libphp-phpmailer"] : [];
  await unpackPackages(
    suite,
    ["wordpress", `wordpress-theme-${theme}`, "ca-certificates", ...needed, ...newer, ...newest],
    root,
  );
  const tree = join(staging, "tree/wordpress");
  await mkdir(join(staging, "tree"), { recursive: true });
  const own = join(root, "usr/share/wordpress");
  // Debian's own settings, and the parts it takes from the installed system.
  await rm(join(own, "wp-config.php"), { force: true });
  await rm(join(own, ".htaccess"), { force: true });
  const bundle = join(own, "wp-includes/certificates/ca-bundle.crt");
  await rm(bundle, { force: true });
  await mustRun(["cp", "--dereference", "/etc/ssl/certs/ca-certificates.crt", bundle]);
  await mustRun(["cp", "-r", "--dereference", own, tree]);
  await mustRun(["sh", "-c", 'find "$1" -xtype l -delete', "-", tree]);
  await mkdir(join(tree, "wp-content/plugins"), { recursive: true });
  await mkdir(directory, { recursive: true });
  await writeChecksums(tree, join(directory, `checksums-${version}.json`));
  const file = `wordpress-${version}.tar.gz`;
  await pack(join(staging, "tree"), "wordpress", join(directory, file));
  await rm(staging, { recursive: true });
  return { version, file };
}

// Debian packages source trees, not the single file into which upstream compiles them.
async function adminer(suite: Suite): Promise<MirroredVersion> {
  const version = await upstreamVersion(suite, "adminer");
  const directory = join(artifactsDirectory(), "app_dbadmin");
  const root = join(artifactsDirectory(), `adminer-${suite}.unfinished`);
  await rm(root, { recursive: true, force: true });
  await unpackPackages(suite, ["adminer"], root);
  await mkdir(directory, { recursive: true });
  const file = `adminer-${version}.tar.gz`;
  await mustRun(["sh", "-c", 'find "$1" -xtype l -delete', "-", join(root, "usr/share/adminer")]);
  await pack(join(root, "usr/share"), "adminer", join(directory, file));
  await rm(root, { recursive: true });
  return { version, file };
}

async function upstreamVersion(suite: Suite, name: string): Promise<string> {
  const candidate = await candidateOf(suite, name);
  const version = candidate && /^(?:\d+:)?(\d+(?:\.\d+)*)/.exec(candidate)?.[1];
  if (!version) throw new Error(`Debian ${suite} has no package ${name}.`);
  return version;
}

async function writeChecksums(tree: string, file: string): Promise<void> {
  const entries = await readdir(tree, { recursive: true, withFileTypes: true });
  const sums: Record<string, string> = {};
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    sums[relative(tree, path)] = await md5Of(path);
  }
  await writeFile(file, JSON.stringify(sums));
}

async function pack(parent: string, folder: string, file: string): Promise<void> {
  await mustRun(["tar", "--owner=0", "--group=0", "-C", parent, "-I", "gzip -1", "-cf", `${file}.new`, folder]);
  await settle(`${file}.new`, file);
}
