import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { usage } from "../failure.ts";

/** `.longshore.json`: which project a folder belongs to. It holds no secret, and is committed with the code. */
export interface Link {
  url: string;
  organization: number;
  project: { id: number; name: string };
}

export const linkFile = ".longshore.json";

/** The link of the folder, or of the nearest one above it. */
export async function findLink(folder = process.cwd()): Promise<Link | undefined> {
  for (let current = folder; ; current = dirname(current)) {
    const file = join(current, linkFile);
    const text = await readFile(file, "utf8").catch(() => undefined);
    if (text !== undefined) return parseLink(text, file);
    if (dirname(current) === current) return undefined;
  }
}

function parseLink(text: string, file: string): Link {
  try {
    const { url, organization, project } = JSON.parse(text) as Link;
    const isWhole = URL.canParse(url) && Number.isInteger(organization) && Number.isInteger(project.id);
    if (isWhole && typeof project.name === "string") return { url, organization, project };
  } catch {
    // The sentence below says what to do.
  }
  throw usage(`${file} is damaged. Remove it, and link the folder again: longshore link PROJECT`);
}

export async function writeLink(link: Link, folder = process.cwd()): Promise<string> {
  const file = join(folder, linkFile);
  await writeFile(file, `${JSON.stringify(link, null, 2)}\n`);
  return file;
}
