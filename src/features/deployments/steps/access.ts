import { accessProgram } from "../../../host/nginx/access.ts";
import { sourcePattern } from "../../../host/nginx/withheld.ts";
import { serversNode } from "../../../host/node/evaluate.ts";
import { scriptsBeside } from "../../../host/script-file.ts";
import type { Script } from "../../../host/sh.ts";
import { releaseOf, type Work, workingDirectoryOf } from "./work.ts";

const script = scriptsBeside(import.meta.url);

/**
 * Leaves in the release what its .htaccess files keep from visitors, and prints warnings about what of them has no effect: as the
 * project's user, once the directory to serve is chosen.
 */
export const readAccess = (work: Work): Script =>
  script("read-access.sh", {
    node: serversNode,
    program: accessProgram,
    release_directory: releaseOf(work),
    working_directory: workingDirectoryOf(work),
    shared: work.layout.shared,
    not_run: work.project.framework.runtimeFamily === "static" ? sourcePattern : "",
  });
