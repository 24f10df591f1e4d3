import { createFileRoute } from "@tanstack/react-router";
import { createServerFn } from "@tanstack/react-start";

const listNotes = createServerFn().handler(async () => {
  const { readFile } = await import("node:fs/promises");
  return readFile("data/notes.txt", "utf8").catch(() => "");
});

export const Route = createFileRoute("/")({
  loader: () => listNotes(),
  component: () => (
    <main>
      <h1>release-1</h1>
      <pre>{Route.useLoaderData()}</pre>
    </main>
  ),
});
