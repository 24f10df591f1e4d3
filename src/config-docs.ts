// Writes docs/configuration.md from the table in config.ts; with --check, checks whether it is up to date instead.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { settings } from "./config.ts";

const file = join(import.meta.dirname, "../docs/configuration.md");

interface DocumentedSetting {
  env: string;
  flag?: string;
  type: string;
  default?: string;
  secret?: true;
  about: string;
}

/** The page, in the order of the table. */
export function configurationPage(table: Record<string, DocumentedSetting>): string {
  return `${introduction}\n${Object.values(table).map(sectionOf).join("\n")}`;
}

const introduction = `# Configuration

<!-- Made from src/config.ts by \`node src/config-docs.ts\`. -->

For operators: every setting with its default. Longshore is configured by environment variables; options of \`longshore up\` win
over them. An empty variable counts as not set. A value that is not valid, or a variable that begins with \`LONGSHORE_\` and is
none of these, ends the start with a sentence that names it.
`;

function sectionOf({ env, flag, type, default: preset, secret, about }: DocumentedSetting): string {
  const facts = [
    `Must be ${type}.`,
    preset ? `Default: \`${preset}\`.` : "Not set by default.",
    flag ? `Option: \`${flag}\`.` : "",
    secret ? "A secret: it is never printed." : "",
  ];
  return `## ${env}\n\n${about}\n\n${facts.filter((fact) => fact !== "").join(" ")}\n`;
}

if (import.meta.main) {
  const page = configurationPage(settings);
  if (!process.argv.includes("--check")) await writeFile(file, page);
  else if ((await readFile(file, "utf8").catch(() => "")) !== page) {
    console.error("docs/configuration.md is not up to date. Run: node src/config-docs.ts");
    process.exitCode = 1;
  }
}
