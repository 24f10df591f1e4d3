// Applications that report the requests they get.

/** Reports which process answered; is slow on request, accepts uploads, streams, echoes on upgraded connections. */
export const nodeApp = (version: number): string => `
  const { createHash } = require("node:crypto");
  const { existsSync } = require("node:fs");
  const name = "version ${version}.0.0 on " + require("node:os").hostname();
  const app = require("node:http").createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://x");
    if (existsSync("broken")) return response.writeHead(500).end("broken");
    if (pathname === "/events") {
      response.writeHead(200, { "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" });
      return response.write("data: " + name + "\\n\\n");
    }
    const hash = createHash("sha256");
    request.on("data", (data) => hash.update(data));
    request.on("end", () => {
      setTimeout(() => response.end(name + " got " + hash.digest("hex")), Number(searchParams.get("took") ?? 0));
    });
  });
  app.on("upgrade", (request, socket) => {
    const accept = createHash("sha1").update(request.headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
    socket.write("HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n" +
      "X-Answered: " + name + "\\r\\nSec-WebSocket-Accept: " + accept.digest("base64") + "\\r\\n\\r\\n");
    socket.on("error", () => {}).pipe(socket);
  });
  app.listen(process.env.PORT, "127.0.0.1");
`;

/** In addition to the sample's pages: shows what those do not. */
export const phpPage = `<?php
usleep(1000 * (int) ($_GET['took'] ?? 0));
$version = trim((string) file_get_contents(__DIR__ . '/../version.txt'));
$got = hash('sha256', (string) file_get_contents('php://input'));
echo "version $version on ", gethostname(), " got $got";
`;
