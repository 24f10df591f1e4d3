import { serverPaths } from "../layout.ts";
import { scriptsBeside } from "../script-file.ts";
import type { Script } from "../sh.ts";

const script = scriptsBeside(import.meta.url);

/** Values of reload.sh. */
export const reloading = { nginx_reloading: serverPaths.nginxReloading };

/**
 * `reload_nginx` makes nginx read its files, and waits until it serves them; fails when nginx keeps the former configuration,
 * with nginx's messages about it in `answer`. PID-FILE is where nginx's master writes its process id. `systemctl reload` would
 * send the same signal.
 */
export const reloadFunctions: Script = script("reload.sh", reloading);
