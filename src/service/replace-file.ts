import { open, rename, rm } from "node:fs/promises";

/**
 * Writes a file, so that readers find the former text or this one, also after a power cut. Its directory must exist. It may be one of
 * the service's user: what stands in the place of the draft, such as a link, is removed and never written to.
 */
export async function replaceFile(path: string, text: string | Buffer, mode: number): Promise<void> {
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  const file = await open(draft, "wx", mode);
  try {
    // Whatever the umask is.
    await file.chmod(mode);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}
