// Writes docs/api-conformance.md from the table in test/conformance; with --check, says whether it is up to date instead.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Area, Proof, Rule } from "../test/conformance/rule.ts";
import { allRules, conformance } from "../test/conformance/table.ts";

const file = join(import.meta.dirname, "../docs/api-conformance.md");

/** The page: rule, tests and state, by area. */
export function conformancePage(areas: readonly Area[], rules: readonly Rule[]): string {
  const open = rules.filter(({ proofs }) => proofs.length === 0).length;
  return `# How the API is proven

<!-- Made from test/conformance by \`node tools/conformance.ts\`. -->

Each rule of the API with the tests that prove it. Of ${rules.length} rules ${rules.length - open} are proven; open: ${open}.

${areas.map(section).join("\n")}`;
}

const section = ({ title, rules }: Area): string =>
  `## ${title}\n\n| Rule | Test | State |\n|---|---|---|\n${rules.map(line).join("\n")}\n`;

function line({ rule, proofs }: Rule): string {
  const tests = proofs.map(link).join("<br>");
  return `| ${cell(rule)} | ${tests} | ${proofs.length > 0 ? "proven" : "open"} |`;
}

const link = ([path, test]: Proof): string => `[${cell(test)}](../${path})`;

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/([<>[\]])/g, "\\$1");

if (import.meta.main) {
  const page = conformancePage(conformance, allRules);
  if (!process.argv.includes("--check")) await writeFile(file, page);
  else if ((await readFile(file, "utf8").catch(() => "")) !== page) {
    process.stderr.write("docs/api-conformance.md is not up to date. Run: node tools/conformance.ts\n");
    process.exitCode = 1;
  }
}
