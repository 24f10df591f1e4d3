import type { Files } from "../../stage/git-server.ts";

// The applications of drain.e2e.test.ts.

// Answers with its version, offers streams whose second half waits for a request to /signal, and WebSockets. On the
// first SIGTERM it says goodbye on open connections, a moment later: a second one in between ends it.
const server = `
const { createServer } = require("node:http");
const { createHash } = require("node:crypto");
const version = "VERSION";
const open = new Set();
const waiting = new Map();
const held = (name) => new Promise((resolve) => waiting.set(name, resolve));
const routes = {
  "/": (_, answer) => answer.end(version),
  "/upload": async (asked, answer) => {
    let length = 0;
    for await (const part of asked) length += part.length;
    answer.end(version + " " + length);
  },
  "/long": (_, answer) => setTimeout(() => answer.end(version), 45_000),
  "/signal": (asked, answer) => {
    waiting.get(asked.url.split("?")[1])();
    answer.end();
  },
  "/stream": async (asked, answer) => {
    answer.setHeader("Content-Type", "text/html").write("first");
    await held(asked.url.split("?")[1]);
    answer.end("last");
  },
  "/events": (_, answer) => {
    answer.setHeader("Content-Type", "text/event-stream").write("data: hello\\n\\n");
    const bye = () => answer.end("data: bye\\n\\n");
    open.add(bye);
    answer.on("close", () => open.delete(bye));
  },
};
const server = createServer((asked, answer) => (routes[asked.url.split("?")[0]] ?? routes["/"])(asked, answer));
server.on("upgrade", (asked, socket) => {
  const key = asked.headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  const accepted = createHash("sha1").update(key).digest("base64");
  socket.write("HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Accept: " + accepted + "\\r\\n\\r\\n");
  const restarts = Buffer.from([0x88, 2, 1012 >> 8, 1012 & 255]);
  const bye = () => socket.end(restarts);
  open.add(bye);
  socket.on("close", () => open.delete(bye)).on("error", () => {}).resume();
});
process.once("SIGTERM", () => {
  if (process.env.STUBBORN) return process.on("SIGTERM", () => {});
  setTimeout(() => {
    for (const bye of open) bye();
    server.close(() => process.exit());
    server.closeIdleConnections();
  }, 500);
});
server.listen(process.env.PORT, "127.0.0.1");
`;

/** A Node project that npm starts, as most do. */
export const nodeFiles = (version: number): Files => ({
  "server.js": server.replace("VERSION", `v${version}`),
  "package.json": '{"scripts":{"start":"node server.js"}}',
});

// The second half waits for a request to signal.php, for at most a minute.
const stream = `<?php
header('Content-Type: ' . $type);
echo 'first';
if (ob_get_level()) ob_flush();
flush();
$signal = sys_get_temp_dir() . '/signal-' . basename($_SERVER['QUERY_STRING']);
for ($tries = 0; $tries < 600 && !file_exists($signal); $tries++) {
  usleep(100000);
  clearstatcache();
}
echo 'last';
`;

export const phpFiles: Files = {
  "index.php": "<?php echo 'php';",
  "events.php": stream.replace("<?php", "<?php $type = 'text/event-stream';"),
  "page.php": stream.replace("<?php", "<?php header('X-Accel-Buffering: no'); $type = 'text/html';"),
  "signal.php": "<?php touch(sys_get_temp_dir() . '/signal-' . basename($_SERVER['QUERY_STRING']));",
};
