import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { Command, InvalidArgumentError, Option } from "commander";
import { type Output, openOutput } from "../../cli/output.ts";
import { loadConfig } from "../../config.ts";
import { AppError } from "../../lib/errors.ts";
import { serviceLayout } from "../layout.ts";
import { requireMachine } from "../machine.ts";
import type { Course } from "./carry-out.ts";
import type { Ending } from "./journal.ts";
import { upgradeLayout } from "./layout.ts";
import type { Phase } from "./phases.ts";
import type { Availability, Dialogue, Result, UpgradeRequest } from "./upgrade.ts";

interface Flags {
  check?: true;
  from?: string;
  yes?: true;
  backup: boolean;
  wait: number;
  json?: true;
  settle?: "boot" | "watch";
}

const layout = upgradeLayout(serviceLayout());

/** The exit status of `--check` when there is a newer version, as with `dnf check-update`. */
const newerStatus = 100;

/** `longshore upgrade`: of the installed service of this machine. */
export const upgradeCommand = (): Command =>
  new Command("upgrade")
    .description("bring the installed service to a newer version, and back if that is not healthy")
    .argument("[version]", "default: the newest release")
    .option("--check", `only look whether there is a newer version: exit status ${newerStatus} if there is, 0 if not`)
    .option("--from <file>", "a package file, in place of LONGSHORE_UPDATE_SOURCE")
    .option("-y, --yes", "do not ask; needed without a terminal")
    .option("--no-backup", "do not copy the data first: only the program can come back then")
    .option("--wait <seconds>", "how long a version may take to become healthy, with its migrations", toSeconds, 60)
    .option("--json", "print one JSON object at the end")
    // For the units of an upgrade.
    .addOption(new Option("--settle <when>").choices(["boot", "watch"]).hideHelp())
    .action(run);

function toSeconds(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It is a number of seconds from 1 to 99999.");
}

async function run(version: string | undefined, flags: Flags): Promise<void> {
  requireMachine("upgrade");
  // Everyone may read programs.
  process.umask(0o022);
  const { updateSource } = loadConfig(process.env);
  const { from, backup, wait } = flags;
  const request = { version, from: from && resolve(from), updateSource, backup, waitSeconds: wait };
  const output = openOutput(flags);
  if (flags.settle) await runSettle(flags.settle, output);
  else if (flags.check) await runCheck(request, output);
  else await runUpgrade(request, flags, output);
}

async function runUpgrade(request: UpgradeRequest, { yes }: Flags, output: Output): Promise<void> {
  const { upgrade } = await import("./upgrade.ts");
  const dialogue: Dialogue = {
    note: output.note,
    confirm: async (question) => {
      if (!yes) await ask(question);
    },
  };
  const result = await upgrade(layout, request, { dialogue, course: courseOf(output) });
  output.result({ ...result }, sentenceOf(result));
  if (result.outcome === "taken_back" || ("down" in result && result.down)) process.exitCode = 1;
}

async function runSettle(when: "boot" | "watch", output: Output): Promise<void> {
  const { settle } = await import("./upgrade.ts");
  const ending = await settle(layout, { ...courseOf(output), isBoot: when === "boot" });
  if (ending) output.note(sentenceOf(ending));
}

async function runCheck(request: UpgradeRequest, output: Output): Promise<void> {
  const { lookForUpgrade } = await import("./upgrade.ts");
  const found = await lookForUpgrade(layout, request);
  const { installed, newest = null, available, isUnsettled, last = null } = found;
  const data = { installed, newest, available: available ?? null, is_unsettled: isUnsettled, last };
  output.result(data, describe(found));
  if (available !== undefined) process.exitCode = newerStatus;
}

function describe({ installed, available, isUnsettled, last }: Availability): string {
  return [
    available === undefined
      ? `Longshore ${installed} is the newest version.`
      : `Longshore ${available} is available; ${installed} is installed.`,
    ...(isUnsettled ? ["An upgrade is under way, or was interrupted: `longshore upgrade` continues it."] : []),
    ...(last?.outcome === "taken_back" ? [`The last upgrade, at ${last.endedAt}: ${sentenceOf(last)}`] : []),
  ].join("\n");
}

function sentenceOf(result: Result): string {
  if (result.outcome === "up_to_date") return `Longshore ${result.version} is the newest version.`;
  if (result.outcome === "taken_back") return takenBack(result);
  return result.down
    ? `Longshore ${result.to} is installed and stays, since it has been in use, but ${result.reason}.`
    : `Longshore ${result.to} runs, in place of ${result.from}.`;
}

function takenBack({ from, to, reason, log = [], down }: Ending): string {
  const present = down
    ? `Longshore ${from} is installed again, but is not healthy either: see \`journalctl --unit longshore\`.`
    : `Longshore ${from} is back, as it was before.`;
  const lines = log.length === 0 ? [] : [`The last lines of ${to}:`, ...log.map((line) => `  ${line}`)];
  return [
    `The upgrade to ${to} was taken back: ${reason ?? "the machine was restarted during it"}.`,
    present,
    ...lines,
  ].join("\n");
}

async function ask(question: string): Promise<void> {
  if (!process.stdin.isTTY) throw new AppError("refused", `${question} Without a terminal, --yes answers.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    if (/^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim())) return;
  } finally {
    terminal.close();
  }
  throw new AppError("refused", "Nothing was changed.");
}

const done: Record<Phase, string> = {
  stopping: "Service stopped",
  copying: "Data copied",
  switching: "New version in place",
  starting: "New version healthy",
  finishing: "Former versions removed",
  returning: "Former version and data in place",
  restarting: "Former version healthy",
};

function courseOf(output: Output): Course {
  const stopping = new AbortController();
  let finish = (): void => {};
  return {
    signal: stopping.signal,
    isBoot: false,
    onPhase: (phase, outcome) => {
      if (!outcome && phase === "stopping") stopInOrder(stopping, output);
      if (!outcome) finish = output.progress(done[phase]);
      else if (outcome.ok) finish();
      else output.note(`${outcome.reason}.`);
    },
  };
}

/** Ctrl-C takes an upgrade back that has begun; a terminal that is lost does not end it. */
function stopInOrder(stopping: AbortController, output: Output): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      output.note("Taking the upgrade back.");
      stopping.abort();
    });
  }
  process.on("SIGHUP", () => {});
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}
