import { releaseRef } from "../../../host/git/git.ts";
import { scriptsBeside, setBefore } from "../../../host/script-file.ts";
import type { Script } from "../../../host/sh.ts";
import { environmentOf, releaseOf, type Work } from "./work.ts";

const script = scriptsBeside(import.meta.url);

/**
 * Around the default build of a PHP project's frontend, which is a function `build_frontend`: compares the inputs of the live
 * release's build with those of this one, and copies the result if they are equal.
 *
 * All files of the repository count except tests, migrations, documents, and PHP outside of templates, unless the frontend's
 * settings show that it reads PHP. With Tailwind 4, which scans every file of the repository for class names, all files count. So
 * do the environment, the version of Node and the directory.
 */
export const reuseFrontend = (work: Work): Script =>
  script("reuse-frontend.sh", {
    manager: setBefore,
    mirror: work.layout.mirror,
    commit_ref: releaseRef(work.release),
    directory: work.project.directory,
    environment_directory: environmentOf(work),
    release_directory: releaseOf(work),
    live_link: work.layout.current,
    always_rebuild: work.project.alwaysRebuildFrontend ?? false,
  });
