import { appendFile, readFile } from "node:fs/promises";
import Fastify from "fastify";

const release = "release-1";
const notes = "data/notes.txt";

const app = Fastify({ trustProxy: "127.0.0.1" });
app.get("/", (_, answer) =>
  answer.type("text/html").send(`<!doctype html><html><body><h1>${release}</h1></body></html>`),
);
app.get("/api/status", ({ ip, protocol }) => ({ release, ip, protocol }));
app.post("/notes", async ({ body }, answer) => {
  await appendFile(notes, `${body}\n`);
  return answer.code(201).send();
});
app.get("/notes", () => readFile(notes, "utf8"));
process.once("SIGTERM", () => app.close());
await app.listen({ port: Number(process.env.PORT), host: process.env.HOST });
