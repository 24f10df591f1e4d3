// Writes docs/cli.md from the command table of the client; with --check, checks whether it is up to date instead.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CommandSpec, commonFlags, type FlagSpec } from "../cli/src/command.ts";
import { groups } from "../cli/src/commands.ts";

const file = join(import.meta.dirname, "../docs/cli.md");

const introduction = `# Command line

<!-- Made from cli/src/commands.ts by \`node tools/cli-docs.ts\`. -->

For those who deploy from a terminal or a pipeline. \`longshore\` is a client of the API: it does what the token may do, and the audit
log names it. [Pipelines](ci.md) has complete files for GitHub, GitLab and Bitbucket.

\`\`\`sh
longshore login https://panel.example.com
longshore link shop
longshore deploy
\`\`\`

## Where a command works

The installation, the organization and the token come from the first of these that names them:

1. the options \`--url\` and \`--organization\`
2. the variables \`LONGSHORE_URL\`, \`LONGSHORE_TOKEN\` and \`LONGSHORE_ORGANIZATION\`
3. \`.longshore.json\` of the folder or of one above it (\`longshore link\`)
4. the configuration in \`$XDG_CONFIG_HOME/longshore/config.json\` (\`longshore login\`, \`longshore use\`), which only you can read

\`LONGSHORE_TOKEN\` is not sent to an address that only \`.longshore.json\` names, since that file comes with someone's code: set
\`LONGSHORE_URL\` as well. Projects, servers and databases are named by their ids or their exact names.

## Output

Standard output has the result alone, standard error everything else. A list has columns on a terminal; for other programs its fields
are separated by tabs, without a header. With \`--json\` the last line is one JSON object; \`logs --json\` and \`run --json\` print one for
each line of the log. \`--json=name,url\` has only these fields. \`NO_COLOR\` switches colours off. Control characters in names and
logs are shown as pictures (␛).

## Exit status

| status | meaning |
|---|---|
| 0 | done |
| 1 | failed, or wrong usage |
| 2 | cancelled |
| 3 | refused by the installation (403, 409, 422) |
| 4 | not signed in |
| 5 | not found |
| 6 | the deployment failed |
| 7 | the outcome is not known: the time of \`--timeout\` is over, there was no contact for 15 minutes, or the access ended |
| 130 | interrupted |

The status of a deployment is that of its record. A log that breaks off changes nothing: the connection is resumed for as long as it
takes, and no line is printed twice. Ctrl-C stops watching, and the deployment continues; with \`--cancel-on-interrupt\` it is
cancelled.

What cannot be taken back asks for the name of what is lost. Without a terminal it fails with 1, unless \`--yes\` is given.
\`--dry-run\` prints the plan.
`;

const flagLine = ({ spec, about }: FlagSpec): string => `| \`${spec.replaceAll("|", "\\|")}\` | ${about} |`;

function commandSection({ words, args, about, details, flags = [], examples }: CommandSpec): string {
  const usage = `longshore ${words}${args ? ` ${args}` : ""}`;
  const table = flags.length > 0 ? `\n| option | |\n|---|---|\n${flags.map(flagLine).join("\n")}\n` : "";
  const lines = examples.map(({ line, about: purpose }) => `${line}  # ${purpose}`).join("\n");
  const sentence = `${about.charAt(0).toUpperCase()}${about.slice(1)}.`;
  return `### \`${usage}\`\n\n${sentence}${details ? ` ${details}` : ""}\n${table}\n\`\`\`sh\n${lines}\n\`\`\`\n`;
}

/** The page, in the order of the table. */
export function commandPage(): string {
  const common = `Options of every command:\n\n| option | |\n|---|---|\n${commonFlags.map(flagLine).join("\n")}\n`;
  const sections = groups.map(({ title, commands }) => `## ${title}\n\n${commands.map(commandSection).join("\n")}`);
  return `${introduction}\n${common}\n${sections.join("\n")}`;
}

if (import.meta.main) {
  const page = commandPage();
  if (!process.argv.includes("--check")) await writeFile(file, page);
  else if ((await readFile(file, "utf8").catch(() => "")) !== page) {
    process.stderr.write("docs/cli.md is not up to date. Run: node tools/cli-docs.ts\n");
    process.exitCode = 1;
  }
}
