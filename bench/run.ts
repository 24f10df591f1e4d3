import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Table from "cli-table3";
import { Command } from "commander";
import colors from "picocolors";
import { removeDirectory } from "../stage/fixture.ts";
import { type Progress, showProgress } from "../stage/progress.ts";
import { tableStyle } from "../stage/table-style.ts";
import { apiBenchmark } from "./api.ts";
import { applicationsBenchmark } from "./applications.ts";
import { appsBenchmark } from "./apps.ts";
import type { Benchmark, Measurement, Result, Session } from "./benchmark.ts";
import { certificatesBenchmark } from "./certificates.ts";
import { clientsBenchmark } from "./clients.ts";
import { cloudsBenchmark } from "./clouds.ts";
import { consoleBenchmark } from "./console.ts";
import { deployBenchmark } from "./deploy.ts";
import { downtimeBenchmark } from "./downtime.ts";
import { logBenchmark } from "./log.ts";
import { monitorIntakeBenchmark } from "./monitor-intake.ts";
import { monitorsBenchmark } from "./monitors.ts";
import { provisionBenchmark } from "./provision.ts";
import { queueBenchmark } from "./queue.ts";
import { rollbackBenchmark } from "./rollback.ts";
import { sitesBenchmark } from "./sites.ts";
import { startBenchmark } from "./start.ts";

const benchmarks: Benchmark[] = [
  startBenchmark,
  apiBenchmark,
  provisionBenchmark,
  deployBenchmark,
  downtimeBenchmark,
  certificatesBenchmark,
  sitesBenchmark,
  rollbackBenchmark,
  queueBenchmark,
  logBenchmark,
  monitorIntakeBenchmark,
  monitorsBenchmark,
  cloudsBenchmark,
  appsBenchmark,
  applicationsBenchmark,
  consoleBenchmark,
  clientsBenchmark,
];

interface Flags {
  json?: true;
  quick?: true;
}

async function run(name: string | undefined, { json, quick }: Flags): Promise<void> {
  const chosen = benchmarks.filter(
    (benchmark) => name === undefined || benchmark.name === name || benchmark.name.startsWith(`${name}-`),
  );
  if (chosen.length === 0) {
    process.stderr.write(`There is no benchmark "${name}". There are:\n${benchmarks.map(describe).join("\n")}\n`);
    process.exit(2);
  }
  const progress = showProgress();
  const results: Record<string, Result> = {};
  for (const benchmark of chosen) results[benchmark.name] = await measure(benchmark, progress, quick === true);
  const ok = Object.values(results).every(({ failures }) => failures.length === 0);
  for (const benchmark of chosen) {
    (json ? process.stderr : process.stdout).write(show(benchmark, results[benchmark.name] as Result));
  }
  if (json) process.stdout.write(`${JSON.stringify({ ok, results })}\n`);
  process.exit(ok ? 0 : 1);
}

async function measure(benchmark: Benchmark, progress: Progress, quick: boolean): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), `longshore-bench-${benchmark.name}-`));
  const cleanUps: (() => Promise<unknown>)[] = [() => removeDirectory(directory)];
  const takeAway = async (): Promise<void> => {
    for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp().catch(complain);
  };
  const onInterrupt = (): void => void takeAway().then(() => process.exit(130));
  process.once("SIGINT", onInterrupt).once("SIGTERM", onInterrupt);
  try {
    return await progress.step(benchmark.name, (update) => {
      const session: Session = { directory, quick, update, cleanUp: (work) => void cleanUps.push(work) };
      return benchmark.run(session);
    });
  } catch (error) {
    complain(error);
    return { measurements: [], failures: [messageOf(error)] };
  } finally {
    process.off("SIGINT", onInterrupt).off("SIGTERM", onInterrupt);
    await takeAway();
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function complain(error: unknown): void {
  for (let at: unknown = error; at instanceof Error; at = at.cause) process.stderr.write(`${at.message}\n`);
}

const describe = ({ name, what, comparedTo }: Benchmark): string =>
  `  ${name.padEnd(15)} ${what}\n  ${"".padEnd(15)} compared to: ${comparedTo}`;

function show(benchmark: Benchmark, { table: counted, measurements, notes = [], failures }: Result): string {
  const table = new Table({
    head: ["Measured", "Longshore", "Compared to", "", "Difference"].map((text) => colors.bold(text)),
    colAligns: ["left", "right", "left", "right", "right"],
    style: tableStyle,
  });
  table.push(...measurements.flatMap(rowsOf));
  const remarks = notes.map((note) => `${note}\n`).join("");
  const problems = failures.map((failure) => colors.red(`✖ ${failure}\n`)).join("");
  const more = counted ? `${showCounted(counted)}\n` : "";
  return `\n${colors.bold(benchmark.name)}: ${benchmark.what}\n${more}${table}\n${remarks}${problems}`;
}

function showCounted({ head, rows }: NonNullable<Result["table"]>): string {
  const isNumber = (at: number) => rows.every((row) => /^[\d,]+$/.test(row[at] ?? ""));
  const table = new Table({
    head: head.map((text) => colors.bold(text)),
    colAligns: head.map((_, at) => (isNumber(at) ? "right" : "left")),
    style: tableStyle,
  });
  table.push(...rows);
  return table.toString();
}

function rowsOf({ what, unit, value, compared = [] }: Measurement): string[][] {
  const own = [what, amount(value, unit)];
  if (compared.length === 0) return [[...own, "", "", ""]];
  return compared.map((other, at) => [
    ...(at === 0 ? own : ["", ""]),
    other.to,
    amount(other.value, unit),
    difference(value, other.value),
  ]);
}

const counts = ["requests", "deployments", "reloads", "checks", "failed"];

function amount(value: number, unit: Measurement["unit"]): string {
  if (counts.includes(unit)) return value.toLocaleString("en-US");
  const digits = unit === "s" ? 2 : unit === "ms" ? 0 : 1;
  return `${value.toFixed(digits)} ${unit}`;
}

function difference(value: number, other: number): string {
  if (other === 0) return "";
  const percent = Math.round((value / other - 1) * 100);
  if (percent >= 300) return `${(value / other).toFixed(1)} times`;
  return `${percent > 0 ? "+" : ""}${percent} %`;
}

await new Command("longshore bench")
  .description("Measures, each beside what it is compared to in the same run.")
  .argument("[name]", `one of ${benchmarks.map(({ name }) => name).join(", ")}; default: all`)
  .option("--quick", "do each thing a few times only, where a benchmark has a quick variant")
  .option("--json", "print the results as one JSON object, the last line on standard output")
  .addHelpText("after", () => `\n${benchmarks.map(describe).join("\n")}`)
  .action(run)
  .parseAsync();
