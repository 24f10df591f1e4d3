import { appendFile, readFile } from "node:fs/promises";
import { serve } from "@hono/node-server";
import { Hono } from "hono";

const release = "release-1";
const notes = "data/notes.txt";

const app = new Hono();
app.get("/", (c) => c.html(`<!doctype html><html><body><h1>${release}</h1></body></html>`));
app.get("/api/status", (c) => c.json({ release, ip: c.req.header("x-real-ip") }));
app.post("/notes", async (c) => {
  await appendFile(notes, `${await c.req.text()}\n`);
  return c.body(null, 201);
});
app.get("/notes", async (c) => c.text(await readFile(notes, "utf8")));
const server = serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: process.env.HOST });
process.once("SIGTERM", () => server.close());
