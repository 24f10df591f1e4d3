import { cp } from "node:fs/promises";
import { join } from "node:path";
import { mustRun } from "../../sandbox/command.ts";
import { versionOf } from "./manifests.ts";
import { normalize } from "./reproducible.ts";

interface Sources {
  /** The directory with the program. */
  program: string;
  out: string;
  /** Seconds since 1970. */
  time: number;
  /** A directory for what is put together; its caller removes it. */
  work: string;
}

/** Makes the npm package; resolves with its path. */
export async function packNpm({ program, out, time, work }: Sources): Promise<string> {
  // npm expects everything in one folder of any name; its own is `package`.
  const directory = join(work, "npm/package");
  await cp(program, directory, { recursive: true });
  await normalize(directory, time);
  const archive = join(work, "npm/package.tar");
  const same = ["--sort=name", "--format=ustar", `--mtime=@${time}`, "--owner=0", "--group=0", "--numeric-owner"];
  await mustRun(["tar", ...same, "-C", join(work, "npm"), "-cf", archive, "package"]);
  await mustRun(["gzip", "-9", "--no-name", archive]);
  const file = join(out, `longshore-${await versionOf(program)}.tgz`);
  await mustRun(["mv", "--", `${archive}.gz`, file]);
  return file;
}
