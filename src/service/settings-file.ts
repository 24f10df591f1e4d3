import { readFile } from "node:fs/promises";
import { replaceFile } from "./replace-file.ts";

// The settings of the service: an environment file, as systemd.exec(5) describes it. Operators edit it too, so a change keeps their
// lines, comments and order.

/** Values by the name of their variable. */
export type ServiceSettings = Record<string, string>;

/** `undefined` removes a setting. */
export type SettingsChange = Record<string, string | undefined>;

const assignment = /^\s*([A-Za-z_]\w*)\s*=([\s\S]*)$/;

/** The settings in the text of an environment file. The last assignment of a name counts; other lines are comments. */
export function parseSettings(text: string): ServiceSettings {
  const settings: ServiceSettings = {};
  for (const line of linesOf(text)) {
    const [, name, value = ""] = assignment.exec(line) ?? [];
    if (name !== undefined) settings[name] = unquote(value.trim());
  }
  return settings;
}

/**
 * The text with the changes: a setting that is there is changed where it stands, others are added at the end. Throws for a value
 * of several lines, which an environment file cannot hold.
 */
export function changeSettings(text: string, changes: SettingsChange): string {
  const left = new Map(Object.entries(changes));
  const lines = linesOf(text).flatMap((line) => {
    const [, name = ""] = assignment.exec(line) ?? [];
    if (!(name in changes)) return [line];
    const value = left.get(name);
    // A name that is assigned twice keeps one line.
    left.delete(name);
    return value === undefined ? [] : [assign(name, value)];
  });
  for (const [name, value] of left) if (value !== undefined) lines.push(assign(name, value));
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

/** The settings in the file; none if there is no file. */
export async function readSettings(file: string): Promise<ServiceSettings> {
  return parseSettings(await readText(file));
}

/** Changes the file in one instant, and makes it if it is not there: readable by its owner alone. Its directory must exist. */
export async function writeSettings(file: string, changes: SettingsChange): Promise<void> {
  await replaceFile(file, changeSettings(await readText(file), changes), 0o600);
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

/** Without an empty last one; a backslash at the end of a line continues it. */
function linesOf(text: string): string[] {
  const lines = text.replaceAll("\r\n", "\n").replace(/\n$/, "");
  return lines === "" ? [] : lines.split(/(?<!\\)\n/);
}

function assign(name: string, value: string): string {
  if (/[\n\r\0]/.test(value)) throw new Error(`The value of ${name} has several lines.`);
  const isPlain = /^[\w@%+=:,./~?&#[\]-]*$/.test(value);
  return `${name}=${isPlain ? value : `"${value.replace(/["\\`$]/g, "\\$&")}"`}`;
}

/** In double quotes a backslash escapes these signs only; outside of quotes it escapes any. */
function unquote(value: string): string {
  const parts = value.matchAll(/'([^']*)'|"((?:\\[\s\S]|[^"\\])*)"|\\([\s\S])|([^'"\\])/g);
  return Array.from(parts, ([, single, double, escaped, plain]) => {
    if (double !== undefined) return double.replace(/\\(["\\`$\n])/g, (_, sign) => (sign === "\n" ? "" : sign));
    return single ?? (escaped === "\n" ? "" : escaped) ?? plain;
  }).join("");
}
