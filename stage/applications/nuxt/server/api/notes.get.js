import { readFile } from "node:fs/promises";

export default defineEventHandler(() => readFile("data/notes.txt", "utf8"));
