// Runs on managed servers; systemd starts it when the first request arrives, and it exits when none has arrived for a
// while. nginx passes it the requests for text/markdown.
import { markdownServer } from "./server.ts";

const idleMs = 60_000;
/** The first socket that systemd passes; connections that arrive between two processes wait in it for the next one. */
const passedSocket = 3;

const server = markdownServer({ http: 80, https: 443 }, { idleMs, onIdle: () => server.close(() => process.exit()) });
server.listen(process.argv[2] ?? { fd: passedSocket });
