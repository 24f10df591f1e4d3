import { appendFile, readFile } from "node:fs/promises";

const notes = "data/notes.txt";

export const dynamic = "force-dynamic";

export const GET = async () => new Response(await readFile(notes, "utf8"));

export async function POST(request) {
  await appendFile(notes, `${await request.text()}\n`);
  return new Response(null, { status: 201 });
}
