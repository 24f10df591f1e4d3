import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  AngularNodeAppEngine,
  createNodeRequestHandler,
  isMainModule,
  writeResponseToNodeResponse,
} from "@angular/ssr/node";
import express from "express";

const notes = "data/notes.txt";
const engine = new AngularNodeAppEngine();

const app = express();
app.set("trust proxy", "loopback");
app.get("/api/status", ({ ip }, answer) => void answer.json({ release: "release-1", ip }));
app.post("/api/notes", express.text(), async ({ body }, answer) => {
  await appendFile(notes, `${body}\n`);
  answer.status(201).end();
});
app.get("/api/notes", async (_, answer) => void answer.type("text").send(await readFile(notes, "utf8")));
app.use(express.static(join(import.meta.dirname, "../browser"), { maxAge: "1y", index: false, redirect: false }));
app.use(async (request, answer, next) => {
  const rendered = await engine.handle(request);
  if (rendered) writeResponseToNodeResponse(rendered, answer);
  else next();
});

if (isMainModule(import.meta.url)) {
  const server = app.listen(Number(process.env["PORT"]), process.env["HOST"] ?? "127.0.0.1");
  process.once("SIGTERM", () => server.close());
}

export const reqHandler = createNodeRequestHandler(app);
