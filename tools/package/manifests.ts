import { readFile } from "node:fs/promises";
import { join } from "node:path";

type Json = Record<string, unknown>;

/** An entry of a lock file, as far as it is read here. */
export interface LockedPackage {
  version: string;
  dev?: true;
  optional?: true;
  [key: string]: unknown;
}

interface Lock {
  lockfileVersion: number;
  packages: Record<string, LockedPackage>;
}

/**
 * The manifests of the npm package, by file name. `npm-shrinkwrap.json` is the lock file without what only the repository needs: npm
 * installs exactly these versions, below the package.
 */
export async function npmManifests(root: string): Promise<Record<string, Json>> {
  const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as Json;
  const { name, version, description, license, type, engines, dependencies, optionalDependencies } = manifest;
  const needed = { dependencies, optionalDependencies };
  const own = { name, version, license, bin: { longshore: "longshore" }, engines, ...needed };
  return {
    "package.json": { name, version, description, license, type, bin: own.bin, engines, ...needed },
    "npm-shrinkwrap.json": {
      name,
      version,
      lockfileVersion: 3,
      requires: true,
      packages: { "": own, ...(await productPackages(root)) },
    },
  };
}

/** The locked packages that the product needs, by their place below the repository (`node_modules/pg`). */
export async function productPackages(root: string): Promise<Record<string, LockedPackage>> {
  const { packages } = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")) as Lock;
  return Object.fromEntries(Object.entries(packages).filter(([path, { dev }]) => path !== "" && dev !== true));
}

/** The version in package.json. */
export async function versionOf(directory: string): Promise<string> {
  return (JSON.parse(await readFile(join(directory, "package.json"), "utf8")) as { version: string }).version;
}
