import { appendFile, readFile } from "node:fs/promises";

const notes = "data/notes.txt";

export const load = async ({ getClientAddress }) => ({
  release: "release-1",
  address: getClientAddress(),
  notes: await readFile(notes, "utf8").catch(() => ""),
});

export const actions = {
  default: async ({ request }) => {
    const form = await request.formData();
    await appendFile(notes, `${form.get("note")}\n`);
  },
};
