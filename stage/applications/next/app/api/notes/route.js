import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";

// A shared directory is a link to a place outside of the release, and the build may not follow it there.
const notes = join(/*turbopackIgnore: true*/ process.cwd(), "data/notes.txt");

export const dynamic = "force-dynamic";

export const GET = async () => new Response(await readFile(notes, "utf8"));

export async function POST(request) {
  await appendFile(notes, `${await request.text()}\n`);
  return new Response(null, { status: 201 });
}
