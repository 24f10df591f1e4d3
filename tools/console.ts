// `./longshore console …`: builds and checks the web console. The launcher runs one at a time.
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runCommand } from "../sandbox/command.ts";
import { messageOf } from "../sandbox/errors.ts";
import { recordFile } from "../src/http/console-build.ts";
import { build, digestOfSources, findRecord, installPackages, placesIn } from "./console-build.ts";

const root = join(import.meta.dirname, "..");
const places = placesIn(root);

const usage = `Usage: ./longshore console build [--json]
       ./longshore console check

  build   install what the console is built with and build it, if its sources changed; \`./longshore up\` does so too
  check   check its types
`;

const note = (line: string): void => void process.stderr.write(`${line}\n`);

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: "boolean", default: false },
      // For a start of the service: no output when there is nothing to do.
      quiet: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const [verb] = positionals;
  if (values.help) process.stdout.write(usage);
  else if (verb === "build") await buildIfChanged(values);
  else if (verb === "check") return checkTypes();
  else {
    note(usage);
    return 2;
  }
  return 0;
}

async function buildIfChanged({ json, quiet }: { json: boolean; quiet: boolean }): Promise<void> {
  const [startedAt, comparedAt] = [performance.now(), new Date()];
  const sources = digestOfSources(root);
  const isNew = (await findRecord(places.dist))?.sources !== sources;
  if (isNew) {
    await install();
    note("Building the web console (once, until its sources change) …");
    await build(places, sources);
  }
  // The launcher asks for nothing until a source is changed after this.
  await utimes(join(places.dist, recordFile), comparedAt, comparedAt);
  const seconds = Math.round(performance.now() - startedAt) / 1000;
  if (json) process.stdout.write(`${JSON.stringify({ directory: places.dist, is_new: isNew, seconds })}\n`);
  else if (!quiet) process.stdout.write(`The web console ${isNew ? "was built" : "is up to date"}: ${places.dist}\n`);
}

const install = (): Promise<void> =>
  installPackages(places, () => note("Installing what the web console is built with (once, about 20 s) …"));

async function checkTypes(): Promise<number> {
  await install();
  const tsc = join(places.modules, ".bin/tsc");
  let failed = 0;
  for (const project of [".", "test"]) {
    const { exitCode, stdout } = await runCommand([tsc, "--noEmit", "--project", project], { cwd: places.console });
    process.stdout.write(stdout);
    failed ||= exitCode;
  }
  return failed;
}

try {
  process.exitCode = await main();
} catch (error) {
  note(messageOf(error));
  process.exitCode = 1;
}
