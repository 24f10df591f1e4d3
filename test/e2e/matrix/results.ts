import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Moment } from "./instrument.ts";
import { isRecorded } from "./scope.ts";
import type { FaultName } from "./table.ts";

// What became of each run that was struck. A complete run writes it down, and so does one that is told to; docs/faults.md is made from that.

const directory = join(import.meta.dirname, "results");
const head = "plan\tstep\tfault\tbefore its work\tafter its work";

/** What became of a run: the page says what each word means. */
export type Outcome = "goes on" | "put back" | "stops" | "fails" | "cancelled";

type Cell = Partial<Record<Moment, Outcome>>;

export class Results {
  private readonly file: string;
  private readonly told: [key: string, moment: Moment, outcome: Outcome][] = [];

  /** Each test file has one of its own, so that files can run side by side. */
  constructor(suite: string) {
    this.file = join(directory, `${suite}.tsv`);
  }

  tell(plan: string, step: string, fault: FaultName, moment: Moment, outcome: Outcome): void {
    this.told.push([keyOf(plan, step, fault), moment, outcome]);
  }

  /** At the end of a test that passed: adds what was told since to what earlier tests wrote. */
  keep(): void {
    const told = this.told.splice(0);
    if (!isRecorded) return;
    const cells = read(this.file);
    for (const [key, moment, outcome] of told) cells.set(key, { ...cells.get(key), [moment]: outcome });
    const lines = [...cells].map(([key, { before = "", after = "" }]) => `${key}\t${before}\t${after}`);
    mkdirSync(directory, { recursive: true });
    writeFileSync(this.file, `${[head, ...lines.sort()].join("\n")}\n`);
  }
}

const keyOf = (plan: string, step: string, fault: FaultName): string => [plan, step, fault].join("\t");

function read(file: string): Map<string, Cell> {
  const [, ...lines] = existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
  return new Map(
    lines.map((line) => {
      const [plan, step, fault, before, after] = line.split("\t");
      const cell: Cell = {};
      if (before) cell.before = before as Outcome;
      if (after) cell.after = after as Outcome;
      return [keyOf(plan as string, step as string, fault as FaultName), cell];
    }),
  );
}

/** What recorded runs told of a step: by moment; empty when it was not tried. */
export function resultsReader(): (plan: string, step: string, fault: FaultName) => Cell {
  const files = existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith(".tsv")) : [];
  const cells = new Map(files.flatMap((name) => [...read(join(directory, name))]));
  return (plan, step, fault) => cells.get(keyOf(plan, step, fault)) ?? {};
}
