// Serves dist/ on PORT. The files are few and do not change while a release runs, so they are read once.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const page = (file, type) => ({ body: readFileSync(new URL(`dist/${file}`, import.meta.url)), type });
const pages = new Map([
  ["/", page("index.html", "text/html; charset=utf-8")],
  ["/style.css", page("style.css", "text/css; charset=utf-8")],
]);

let stopping = false;

const server = createServer((request, response) => {
  const found = pages.get(new URL(request.url, "http://localhost").pathname);
  response.statusCode = found ? 200 : 404;
  response.setHeader("Content-Type", found?.type ?? "text/plain; charset=utf-8");
  if (stopping) response.setHeader("Connection", "close");
  response.end(found?.body ?? "Not found.\n");
});

// Longer than a proxy in front keeps idle connections, so that it never sends a request into one that is being closed.
server.keepAliveTimeout = 75_000;
server.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () =>
  console.log(`Listening on ${server.address().port}`),
);

// What was begun is finished; then nothing keeps the process.
process.once("SIGTERM", () => {
  stopping = true;
  server.close();
});
