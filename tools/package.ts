// `./longshore package`: the npm package and the Debian package of this version, from the checkout.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { messageOf } from "../sandbox/errors.ts";
import { packDeb } from "./package/deb.ts";
import { packNpm } from "./package/npm.ts";
import { writeProgram } from "./package/program.ts";
import { buildTime } from "./package/reproducible.ts";

const root = join(import.meta.dirname, "..");

const usage = `Usage: ./longshore package [--out DIRECTORY] [--json]

Makes what \`longshore service install\` installs, in DIRECTORY (default: dist):
  longshore-VERSION.tgz            for npm; it gets Node, PostgreSQL and the dependencies from npm's registry
  longshore_VERSION_ARCH.deb       for Debian and Ubuntu without npm; holds everything, for this machine's architecture
`;

const note = (line: string): void => void process.stderr.write(`${line}\n`);

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      out: { type: "string", default: join(root, "dist") },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return void process.stdout.write(usage);
  const made = await pack(resolve(values.out));
  if (values.json) process.stdout.write(`${JSON.stringify(made)}\n`);
  else
    process.stdout.write(
      `${Object.values(made)
        .map((file) => relative(process.cwd(), file))
        .join("\n")}\n`,
    );
}

async function pack(out: string): Promise<{ npm: string; deb: string }> {
  await mkdir(out, { recursive: true });
  const work = await mkdtemp(join(tmpdir(), "longshore-package-"));
  try {
    const time = await buildTime(root);
    const program = join(work, "program");
    await writeProgram(root, program);
    note("Making the npm package …");
    const npm = await packNpm({ program, out, time, work });
    note("Making the Debian package …");
    const deb = await packDeb({ root, program, out, time, work });
    return { npm, deb };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

try {
  await main();
} catch (error) {
  note(`longshore: ${messageOf(error)}`);
  process.exitCode = 1;
}
