import { scriptsBeside } from "../script-file.ts";
import type { Script } from "../sh.ts";

const script = scriptsBeside(import.meta.url);

/**
 * Bash functions that send HTTP requests to the server itself. They start no process: a check that is repeated every
 * few milliseconds must not slow the server down.
 *
 * `http_get PORT HOST PATH` sets `status` (empty when nothing answered), `location` (where it redirects to) and `body`
 * (its first line).
 * With `whole` set, `page` is the beginning of the page, up to 64 KB.
 * `https_get HOST PATH` does the same through TLS, with curl, and accepts any certificate.
 * With `candidate` set, both request that release before it is live (host/nginx/site.ts).
 */
export const requestFunctions: Script = script("request.sh");
