import { join } from "node:path";
import { mustRun } from "../../sandbox/command.ts";

const launcher = join(import.meta.dirname, "../../longshore");

/** The directory of the console, built from its present sources; those who ask at once wait for one build. */
export async function builtConsole(): Promise<string> {
  const { directory } = JSON.parse(await mustRun([launcher, "console", "build", "--json"])) as { directory: string };
  return directory;
}
