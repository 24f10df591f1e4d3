import { readFile, writeFile } from "node:fs/promises";
import type { EnvironmentComparison, EnvironmentVariable } from "../../../contract/types.ts";
import { usage } from "../failure.ts";
import { projectOf } from "../find.ts";
import type { Invocation } from "../invocation.ts";
import { printJson, printList } from "../output/lists.ts";
import { confirmByName } from "../output/terminal.ts";
import { visible } from "../output/text.ts";
import { ago } from "../output/times.ts";

const longestText = 512 * 1024;

const projectNamed = (invocation: Invocation) => projectOf(invocation, invocation.text("project"));

async function variablesOf(invocation: Invocation): Promise<readonly EnvironmentVariable[]> {
  const session = await invocation.session();
  const { id } = await projectNamed(invocation);
  return (await session.call("GET /api/v1/projects/{id}/environment-variables", { params: { id } })).data;
}

export async function listVariables(invocation: Invocation): Promise<undefined> {
  printList(invocation.terminal, invocation.json, {
    items: await variablesOf(invocation),
    empty: "There are no environment variables.",
    columns: [
      { head: "NAME", of: ({ name }) => name, isLong: true },
      { head: "LIVE", of: ({ is_live }) => (is_live ? "yes" : "no") },
      { head: "MASKED", of: ({ masked }) => (masked ? "yes" : "no") },
      { head: "SET", of: ({ updated_at }) => ago(updated_at) },
      { head: "BY", of: ({ updated_by }) => updated_by?.name, isLong: true },
    ],
  });
  return undefined;
}

/** The names as lines of an .env file: values are never shown. */
export async function pullNames(invocation: Invocation): Promise<undefined> {
  const { terminal, json } = invocation;
  const names = (await variablesOf(invocation)).map(({ name }) => name);
  const [file] = invocation.args;
  const lines = names.map((name) => `${visible(name)}=`);
  if (file !== undefined)
    await writeFile(file, lines.map((line) => `${line}\n`).join(""), { flag: "wx", mode: 0o600 }).catch(explained);
  if (json) printJson(terminal, { names });
  else if (file === undefined) for (const line of lines) terminal.result(line);
  else terminal.note(`${file} has the names of ${names.length} variables.`);
  return undefined;
}

function explained(error: NodeJS.ErrnoException): never {
  throw usage(error.code === "EEXIST" ? "The file exists already: it is not overwritten." : error.message);
}

/** The text of an .env file; `-` is standard input. */
async function textOf(invocation: Invocation): Promise<string> {
  const [file = "-"] = invocation.args;
  if (file === "-") return invocation.terminal.input(longestText);
  return readFile(file, "utf8").catch((error: Error) => {
    throw usage(`${visible(file)} cannot be read: ${error.message}`);
  });
}

export async function diffVariables(invocation: Invocation): Promise<undefined> {
  const text = await textOf(invocation);
  const { id } = await projectNamed(invocation);
  printComparison(invocation, await compare(invocation, id, text));
  return undefined;
}

async function compare(invocation: Invocation, id: number, text: string): Promise<EnvironmentComparison> {
  const session = await invocation.session();
  const input = { params: { id }, body: { environment_variables: text } };
  return (await session.call("POST /api/v1/projects/{id}/environment-variables/compare", input)).data;
}

function printComparison({ terminal, json }: Invocation, comparison: EnvironmentComparison): void {
  if (json) {
    printJson(terminal, comparison);
    return;
  }
  const { added, changed, removed, unchanged } = comparison;
  for (const name of added) terminal.result(terminal.style("green", `+ ${visible(name)}`, "result"));
  for (const name of changed) terminal.result(terminal.style("yellow", `~ ${visible(name)}`, "result"));
  for (const name of removed) terminal.result(terminal.style("red", `- ${visible(name)}`, "result"));
  terminal.note(`${unchanged} ${unchanged === 1 ? "stays" : "stay"} as ${unchanged === 1 ? "it is" : "they are"}.`);
}

/** Replaces all variables with those of a file. */
export async function pushVariables(invocation: Invocation): Promise<undefined> {
  const text = await textOf(invocation);
  const session = await invocation.session();
  const project = await projectNamed(invocation);
  const comparison = await compare(invocation, project.id, text);
  if (invocation.isSet("dryRun")) {
    printComparison(invocation, comparison);
    return undefined;
  }
  const { removed } = comparison;
  if (removed.length > 0) {
    await confirmByName(invocation.terminal, {
      name: project.name,
      warning: `${removed.length} variables of ${visible(project.name)} are not in the file and are deleted: ${removed.map(visible).join(", ")}.`,
      isAgreed: invocation.isSet("yes"),
    });
  }
  const { message } = await session.call("PUT /api/v1/projects/{id}/environment-variables", {
    params: { id: project.id },
    body: { environment_variables: text, expected_updated_at: project.updated_at },
  });
  done(invocation, message, comparison);
  return undefined;
}

function done({ terminal, json }: Invocation, message: string, more: object): void {
  if (json) printJson(terminal, { message, ...more });
  else terminal.note(visible(message));
}

/** `NAME` reads the value from standard input, or asks for it: a value in the command would be in the shell's history. */
export async function setVariable(invocation: Invocation): Promise<undefined> {
  const session = await invocation.session();
  const { id } = await projectNamed(invocation);
  const [given = ""] = invocation.args;
  const at = given.indexOf("=");
  const name = at < 0 ? given : given.slice(0, at);
  const value = at < 0 ? await readValue(invocation, name) : given.slice(at + 1);
  const { message } = await session.call("PUT /api/v1/projects/{id}/environment-variables/{name}", {
    params: { id, name },
    body: { value },
  });
  done(invocation, message, { name });
  return undefined;
}

async function readValue({ terminal }: Invocation, name: string): Promise<string> {
  if (terminal.canAsk) return terminal.askSecret(`Value of ${visible(name)}: `);
  return (await terminal.input(longestText)).replace(/\r?\n$/, "");
}

export async function unsetVariable(invocation: Invocation): Promise<undefined> {
  const session = await invocation.session();
  const { id } = await projectNamed(invocation);
  for (const name of invocation.args) {
    const { message } = await session.call("DELETE /api/v1/projects/{id}/environment-variables/{name}", {
      params: { id, name },
    });
    done(invocation, message, { name });
  }
  return undefined;
}
