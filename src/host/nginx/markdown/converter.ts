// Runs on managed servers; systemd starts it when the first request arrives, and it exits when none has arrived for a
// while. nginx passes it the requests for text/markdown. Argument: the directory of the passes.
import { markdownServer } from "./server.ts";

const idleMs = 60_000;
/** The first socket that systemd passes; connections that arrive between two processes wait in it for the next one. */
const passedSocket = 3;

const options = { passes: process.argv[2] ?? ".", idleMs, onIdle: () => server.close(() => process.exit()) };
const server = markdownServer({ http: 80, https: 443 }, options);
server.listen({ fd: passedSocket });
