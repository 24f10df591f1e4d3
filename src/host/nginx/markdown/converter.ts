// Runs on managed servers, started by systemd when the first request comes, and ends when none has come for a while. nginx
// passes it the requests for text/markdown.
import { markdownServer } from "./server.ts";

const idleMs = 60_000;
/** The first socket that systemd passes; who comes meanwhile waits there for the next one. */
const passedSocket = 3;

const server = markdownServer({ http: 80, https: 443 }, { idleMs, onIdle: () => server.close(() => process.exit()) });
server.listen(process.argv[2] ?? { fd: passedSocket });
