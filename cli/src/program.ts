import { Command } from "commander";
import { type CommandSpec, commonFlags, type FlagSpec } from "./command.ts";
import { findCommand, groups } from "./commands.ts";
import { exitStatus } from "./failure.ts";
import { type Flags, Invocation } from "./invocation.ts";
import type { Terminal } from "./output/terminal.ts";

/** The program, made from the command table. `onStatus` gets the exit status of the command that ran. */
export function makeProgram(terminal: Terminal, rest: readonly string[], onStatus: (status: number) => void): Command {
  const program = new Command("longshore")
    .description("Longshore from the command line.")
    .usage("COMMAND [OPTIONS]")
    .enablePositionalOptions()
    .showHelpAfterError("Add --help to see what it takes.")
    .addHelpText("after", `\nExit status: ${statusHelp}\nMore: longshore COMMAND --help`);
  const made = new Map<string, Command>();
  for (const { title, commands: specs } of groups) {
    program.commandsGroup(`${title}:`);
    for (const spec of specs) {
      const [first = "", second] = spec.words.split(" ");
      const parent = second === undefined ? program : (made.get(first) ?? program);
      const command = parent
        .command(second ?? first)
        .description(spec.about)
        .helpCommand(false);
      made.set(spec.words, command);
      describe(command, spec);
      command.action(async () => {
        const { args } = command;
        const verb = await spec.load();
        const invocation = new Invocation({ terminal, args, rest, flags: command.opts() as Flags });
        onStatus((await verb(invocation)) ?? exitStatus.done);
      });
    }
  }
  return program;
}

const statusHelp =
  "0 done, 1 failed or wrong usage, 2 cancelled, 3 refused, 4 not signed in,\n5 not found, 6 the deployment failed, 7 outcome unknown, 130 interrupted.";

function describe(command: Command, { args, flags = [], details, examples }: CommandSpec): void {
  if (args) command.arguments(args);
  if (args?.includes("[words...]")) command.passThroughOptions();
  for (const flag of [...flags, ...commonFlags]) addFlag(command, flag);
  const lines = examples.map(({ line, about }) => `  ${line}\n      ${about}`).join("\n");
  command.addHelpText("after", `${details ? `\n${details}\n` : ""}\nExamples:\n${lines}`);
}

function addFlag(command: Command, { spec, about, isList }: FlagSpec): void {
  if (isList) command.option(spec, about, (value: string, before: readonly string[] = []) => [...before, value]);
  else command.option(spec, about);
}

/**
 * What commander gets, and the words after `--`. The word after `--json` would count as its fields: it does only where a command has
 * no arguments, so that `deploy --json shop` deploys shop.
 */
export function prepared(argv: readonly string[]): { argv: string[]; rest: string[] } {
  const end = argv.indexOf("--");
  const own = end < 0 ? [...argv] : argv.slice(0, end);
  const hasArguments = findCommand(own.filter((word) => !word.startsWith("-")))?.args !== undefined;
  const before = hasArguments ? own.map((word) => (word === "--json" ? "--json=" : word)) : own;
  return { argv: before, rest: end < 0 ? [] : argv.slice(end + 1) };
}
