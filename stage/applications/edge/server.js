import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { WebSocketServer } from "ws";

const release = "release-1";
const events = new Set();

const routes = {
  "/": (_, answer) => answer.end(`<html><body>${release}</body></html>`),
  "/upload": async (asked, answer) => {
    const hash = createHash("sha256");
    let length = 0;
    for await (const part of asked) {
      hash.update(part);
      length += part.length;
    }
    answer.end(JSON.stringify({ release, length, sha256: hash.digest("hex") }));
  },
  "/slow": async (_, answer) => {
    await pause(5_000);
    answer.end(`${release} slowly`);
  },
  // Twenty parts over four seconds, and a last one by which its reader knows that it is whole.
  "/stream": async (_, answer) => {
    answer.writeHead(200, { "Content-Type": "text/plain" });
    for (let part = 1; part <= 20; part++) {
      answer.write(`${release} part ${part}\n`);
      await pause(200);
    }
    answer.end("end\n");
  },
  // Ten times of the clock, each when it is sent.
  "/clock": async (_, answer) => {
    answer.writeHead(200, { "Content-Type": "text/html" });
    for (let part = 1; part <= 10; part++) {
      answer.write(`${Date.now()}\n`);
      await pause(100);
    }
    answer.end();
  },
  "/events": (_, answer) => {
    answer.writeHead(200, { "Content-Type": "text/event-stream" });
    answer.write(`data: ${release}\n\n`);
    const bye = () => answer.end("event: bye\ndata: bye\n\n");
    events.add(bye);
    answer.once("close", () => events.delete(bye));
  },
};

const server = createServer((asked, answer) => (routes[asked.url] ?? routes["/"])(asked, answer));
const sockets = new WebSocketServer({ server, path: "/socket" });
sockets.on("connection", (socket) => socket.on("message", (text) => socket.send(`${release} ${text}`)));
process.once("SIGTERM", () => {
  for (const bye of events) bye();
  for (const socket of sockets.clients) socket.close(1012);
  sockets.close();
  server.close();
});
server.listen(process.env.PORT, process.env.HOST);
