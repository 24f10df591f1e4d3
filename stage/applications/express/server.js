import { appendFile, readFile } from "node:fs/promises";
import express from "express";

const release = "release-1";
const notes = "data/notes.txt";

const app = express();
app.set("trust proxy", "loopback");
app.get("/", (_, answer) => answer.send(`<!doctype html><html><body><h1>${release}</h1></body></html>`));
app.get("/api/status", ({ ip, protocol }, answer) =>
  answer.json({ release, ip, protocol, greeting: process.env.GREETING }),
);
app.post("/notes", express.text(), async ({ body }, answer) => {
  await appendFile(notes, `${body}\n`);
  answer.sendStatus(201);
});
app.get("/notes", async (_, answer) => answer.type("text").send(await readFile(notes, "utf8")));
app.listen(process.env.PORT, process.env.HOST);
