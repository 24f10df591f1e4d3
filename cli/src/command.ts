import type { Verb } from "./invocation.ts";

// The form of the command table. Program, help, completion and docs/cli.md are made from it.

export interface FlagSpec {
  /** As commander writes it: `-b, --branch <name>`. */
  spec: string;
  about: string;
  /** May be given several times. */
  isList?: true;
}

export interface Example {
  /** A line for a shell. */
  line: string;
  about: string;
  /** What it exits with. Default: 0. */
  status?: number;
  /** It needs a real server: the test on one runs it. */
  needsServer?: true;
}

export interface CommandSpec {
  /** `deployments watch`. A command of one word may have others below it, and then does something by itself. */
  words: string;
  /** As commander writes them: `[project] <file>`. */
  args?: string;
  about: string;
  /** What its user has to know beyond that. */
  details?: string;
  flags?: readonly FlagSpec[];
  examples: readonly Example[];
  /** Loaded when it runs: `--help` answers at once. */
  load: () => Promise<Verb>;
}

export interface CommandGroup {
  title: string;
  commands: readonly CommandSpec[];
}

/** Of every command. */
export const commonFlags: readonly FlagSpec[] = [
  { spec: "--url <address>", about: "the installation, by its address or name" },
  { spec: "--organization <id>", about: "the organization, by its id or name" },
  { spec: "--json [fields]", about: "one JSON object as the last line; --json=name,url has these fields only" },
];
