import { open, rename } from "node:fs/promises";

/** Writes a file, so that readers find the former text or this one, also after a power cut. Its directory must exist. */
export async function replaceFile(path: string, text: string | Buffer, mode: number): Promise<void> {
  const draft = `${path}.new`;
  const file = await open(draft, "w", mode);
  try {
    // A draft that is left of an earlier attempt keeps its own mode.
    await file.chmod(mode);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}
