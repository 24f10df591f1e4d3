import { textsBeside } from "../script-file.ts";

/**
 * The words that run a command with the environment variables of a release, and nothing else: the platform's own shells and programs
 * never have them. `…with FILE SETTING… -- COMMAND…`, see with-environment.pl; FILE is the `exportsFile` of the release. It
 * replaces itself with the command, so that signals reach it. No value is part of a command line.
 */
export const withEnvironment: readonly string[] = [
  "perl",
  "-e",
  textsBeside(import.meta.url)("with-environment.pl"),
  "--",
];

/** The file with the variables of a release, in the directory of its environment. */
export const exportsFile = "environment-exports";
