import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { closureOf, unpackPackages } from "../../sandbox/apps-mirror/debian.ts";

/**
 * A folder with the "libraries" of a PHP framework, as Debian packages it with all that it needs: what Composer's registry holds cannot be
 * had everywhere.
 */
export async function withLibraries(name: string, directory: string): Promise<string> {
  const suite = "bookworm";
  const root = join(directory, `${name}.packages`);
  const packages = (await closureOf(suite, name)).filter((each) => each.startsWith("php-"));
  await unpackPackages(suite, packages, root);
  const folder = join(root, "application");
  await mkdir(folder);
  await rename(join(root, "usr/share/php"), join(folder, "libraries"));
  return folder;
}
