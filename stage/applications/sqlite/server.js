import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import Database from "better-sqlite3";

const release = "release-1";
const database = new Database("data/notes.db");
database.pragma("journal_mode = WAL");
database.exec("CREATE TABLE IF NOT EXISTS notes (text TEXT NOT NULL)");
const insert = database.prepare("INSERT INTO notes (text) VALUES (?)");
const list = database.prepare("SELECT text FROM notes ORDER BY rowid").pluck();

const server = createServer(async (request, answer) => {
  if (request.url === "/") {
    answer.setHeader("Content-Type", "text/html");
    answer.end(`<!doctype html><html><body><h1>${release}</h1></body></html>`);
  } else if (request.method === "POST") {
    insert.run(await text(request));
    answer.writeHead(201).end();
  } else {
    answer.end(list.all().join("\n"));
  }
});
process.once("SIGTERM", () => server.close(() => database.close()));
server.listen(Number(process.env.PORT), process.env.HOST);
