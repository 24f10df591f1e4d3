import { appendFile } from "node:fs/promises";

export default defineEventHandler(async (event) => {
  await appendFile("data/notes.txt", `${await readRawBody(event)}\n`);
  setResponseStatus(event, 201);
});
