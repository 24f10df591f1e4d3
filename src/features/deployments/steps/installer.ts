import { servedName } from "../../../host/nginx/names.ts";
import type { Work } from "./work.ts";

/**
 * Values of installer.sh. Installers are open to everybody: one that was closed must not be opened again by a release without what it has written. So the
 * answers of the new release at `/` are compared with those of the live one. `shows_installer COMMAND` asks with a command, which
 * sets what `http_get` does; `expects_installer` is for projects that want to show one; `refuse_installer` ends the step.
 */
export const installer = (work: Work) => ({
  server_name: servedName(work.project.site),
  family: work.project.framework.runtimeFamily,
  health_path: work.settings.healthPath,
});
