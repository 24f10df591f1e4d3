import type { RepositoryFiles } from "./files.ts";
import { foundIn } from "./found.ts";
import type { Application, Refusal } from "./kind.ts";
import { kinds } from "./kinds.ts";
import { resultDirectories } from "./pages.ts";
import { generatorNotes } from "./unsupported.ts";

/** The application in a directory; undefined if none is recognized. */
export function applicationOf(files: RepositoryFiles): Application | Refusal | undefined {
  const found = foundIn(files);
  const application = kinds.find(({ fits }) => fits(found))?.is(found);
  if (application?.frameworkId === undefined || application.frameworkId !== 10) return application;
  const notes = generatorNotes(files);
  if (notes.length === 0 || resultDirectories.includes(application.outputDirectory ?? "")) return application;
  // A page that a generator would make is none; what it has made is.
  return files.paths.includes("_site/index.html")
    ? {
        frameworkId: 10,
        reason: "There is a _site/index.html, which a site generator has made.",
        outputDirectory: "_site",
      }
    : { notes };
}
