import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import pc from "picocolors";
import { mustRun, runCommand } from "../sandbox/command.ts";
import { messageOf } from "../sandbox/errors.ts";
import { ensurePackages } from "../sandbox/packages.ts";

const root = resolve(import.meta.dirname, "..");
const tool = (name: string): string => join(root, "node_modules/.bin", name);

/** One requirement: the command exits 0 when it is met. */
interface Check {
  name: string;
  command: string[];
  /** Fixes the violation; runs in its place with --fix. */
  fix?: string[];
}

/** Files generated from other files. Each command exits 0 when they are up to date; its `fix` writes them. */
const generated: Check[] = [
  {
    name: "configuration page",
    command: [process.execPath, "src/config-docs.ts", "--check"],
    fix: [process.execPath, "src/config-docs.ts"],
  },
  {
    name: "API contract",
    command: [process.execPath, "tools/contract.ts", "--check"],
    fix: [process.execPath, "tools/contract.ts"],
  },
  {
    name: "command-line page",
    command: [process.execPath, "tools/cli-docs.ts", "--check"],
    fix: [process.execPath, "tools/cli-docs.ts"],
  },
];

interface Outcome {
  check: Check;
  ok: boolean;
  seconds: number;
  output: string;
}

async function listChecks(): Promise<Check[]> {
  const biome = [tool("biome"), "check", "--colors=off", "--error-on-warnings"];
  const architecture = "test/architecture.test.ts";
  return [
    { name: "types", command: [tool("tsc"), "--noEmit"] },
    { name: "types of the console", command: [join(root, "longshore"), "console", "check"] },
    { name: "lint and format", command: biome, fix: [...biome, "--write"] },
    { name: "unused code", command: [tool("knip"), "--no-progress"] },
    { name: "shell scripts", command: ["shellcheck", ...(await shellScripts())] },
    { name: "server scripts", command: [process.execPath, "test/shell-scripts.ts"] },
    ...(existsSync(join(root, architecture))
      ? [{ name: "import rules", command: [process.execPath, "--test", architecture] }]
      : []),
    { name: "banned words", command: [process.execPath, "--test", "test/words.test.ts"] },
    { name: "links of documents", command: [process.execPath, "--test", "test/docs.test.ts"] },
    ...generated,
  ];
}

async function shellScripts(): Promise<string[]> {
  const listed = await mustRun(["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.sh"], {
    cwd: root,
  });
  // Those of src are checked as they are composed.
  const scripts = [
    "longshore",
    ".ci/run",
    ...listed.split("\n").filter((file) => file !== "" && !file.startsWith("src/")),
  ];
  return scripts.filter((file) => existsSync(join(root, file)));
}

async function perform(check: Check, fixing: boolean): Promise<Outcome> {
  const started = performance.now();
  const command = fixing && check.fix ? check.fix : check.command;
  const { exitCode, stdout, stderr } = await runCommand(command, { cwd: root });
  const seconds = (performance.now() - started) / 1000;
  return { check, ok: exitCode === 0, seconds, output: `${stdout}${stderr}`.trim() };
}

/** Performs the checks in order, some at once, and reports each at its end. */
async function performAll(checks: readonly Check[], fixing: boolean, concurrency: number): Promise<Outcome[]> {
  const left = checks.values();
  const outcomes: Outcome[] = [];
  const lane = async () => {
    for (const check of left) {
      const outcome = await perform(check, fixing);
      report(outcome);
      outcomes.push(outcome);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return outcomes;
}

function report({ check, ok, seconds, output }: Outcome): void {
  const verdict = ok ? pc.green("ok    ") : pc.red("failed");
  process.stdout.write(`${check.name.padEnd(20)} ${verdict} ${seconds.toFixed(1).padStart(6)} s\n`);
  if (!ok) process.stdout.write(`${output.replace(/^/gm, "    ")}\n`);
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      fix: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(
      "Usage: ./longshore check [--fix] [--json]\n\n  --fix   put right what can be: lint, format, generated files\n",
    );
    return 0;
  }
  await ensurePackages(["git", "shellcheck"], "shell scripts are checked with them");
  const checks = await listChecks();
  // Writers first and one after the other, so that the rest checks their output.
  const writers = values.fix ? checks.filter((each) => each.fix) : [];
  const outcomes = [
    ...(await performAll(writers, values.fix, 1)),
    ...(await performAll(
      checks.filter((each) => !writers.includes(each)),
      values.fix,
      2,
    )),
  ];
  const failed = outcomes.filter(({ ok }) => !ok).map(({ check }) => check.name);
  if (values.json) process.stdout.write(`${JSON.stringify({ ok: failed.length === 0, failed })}\n`);
  return failed.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 2;
}
