import { appendFile, readFile } from "node:fs/promises";
import { createFileRoute } from "@tanstack/react-router";

const notes = "data/notes.txt";

export const Route = createFileRoute("/api/notes")({
  server: {
    handlers: {
      GET: async () => new Response(await readFile(notes, "utf8")),
      POST: async ({ request }) => {
        await appendFile(notes, `${await request.text()}\n`);
        return new Response(null, { status: 201 });
      },
    },
  },
});
