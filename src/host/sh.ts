import { AppError } from "../lib/errors.ts";

/** A piece of bash. Only `sh` and script files make one, so a string never becomes code by accident. */
export interface Script {
  /** The whole text, as it runs. */
  readonly script: string;
  /** The same in two parts when it uses functions of files: these stand once at the top of whatever it becomes a part of. */
  readonly parts?: { readonly functions: readonly Functions[]; readonly code: string };
}

/** A file that does nothing but define functions. */
export interface Functions {
  readonly name: string;
  readonly code: string;
}

/** A script that uses functions of files, each after those that it uses itself. */
export function withFunctions(functions: readonly Functions[], code: string): Script {
  if (functions.length === 0) return { script: code };
  const texts = functions.map((file) => file.code);
  return { script: [...texts, ...(code === "" ? [] : [code])].join("\n"), parts: { functions, code } };
}

const codeOf = ({ script, parts }: Script): string => (parts ? parts.code : script);

function functionsOf(scripts: readonly Script[]): Functions[] {
  const all = scripts.flatMap(({ parts }) => parts?.functions ?? []);
  return [...new Map(all.map((file) => [file.name, file])).values()];
}

type Word = string | number | readonly (string | number)[] | Script;

/**
 * One shell word, for any value: spaces, quotes, `$(…)`, newlines. A leading dash stays a dash: put `--` before it
 * where a command could take it for an option. NUL cannot be part of a word and is refused.
 */
export function quote(value: string | number): string {
  const text = String(value);
  if (text.includes("\0")) throw new AppError("invalid", "A value for a server must not contain a NUL character.");
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

const isScript = (value: Word): value is Script => typeof value === "object" && "script" in value;

const render = (value: Word): string => {
  if (isScript(value)) return codeOf(value);
  return typeof value === "object" ? value.map(quote).join(" ") : quote(value);
};

/**
 * A script whose text is data: each `${value}` is one shell word, a list several words, a Script its code. The
 * template's own indentation is removed; interpolated values keep every byte. The functions that a Script uses come first.
 */
export function sh(strings: TemplateStringsArray, ...values: Word[]): Script {
  let parts = checked.get(strings);
  if (!parts) {
    parts = dedent(strings);
    refuseQuotedWords(parts);
    checked.set(strings, parts);
  }
  const code = parts.reduce((script, part, at) => script + render(values[at - 1] as Word) + part);
  return withFunctions(functionsOf(values.filter(isScript)), code);
}

/** The scripts one after the other; `undefined` and `false` are left out, for conditional lines. */
export function lines(...scripts: (Script | undefined | false)[]): Script {
  const present = scripts.filter((part) => part !== undefined && part !== false);
  const codes = present.filter(({ parts }) => parts?.code !== "").map(codeOf);
  return withFunctions(functionsOf(present), codes.join("\n"));
}

/** A command the user wrote, run as written: the only way in which text becomes code. */
export const userCommand = (text: string): Script => ({ script: text });

// A template is the same array at every call, so its text is checked once.
const checked = new WeakMap<TemplateStringsArray, string[]>();

// Only the template's own parts are touched, so that a heredoc or a user's command inside keeps its indentation.
function dedent(strings: readonly string[]): string[] {
  const indent = /^\n( +)/.exec(strings[0] ?? "")?.[1];
  const parts = strings.map((part) => (indent === undefined ? part : part.replaceAll(`\n${indent}`, "\n")));
  parts[0] = (parts[0] as string).replace(/^\n/, "");
  parts[parts.length - 1] = (parts.at(-1) as string).replace(/\n\s*$/, "");
  return parts;
}

// A quoted word inside quotes of the template would end them, and its content would be code. That is a mistake in the
// template: it is refused for every value. Inside `"$(…)"` a word is outside of quotes again.
function refuseQuotedWords(parts: readonly string[]): void {
  const open: string[] = [];
  for (const part of parts.slice(0, -1)) {
    followQuotes(part, open);
    const quote = open.at(-1);
    if (quote === "'" || quote === '"')
      throw new Error(`sh: a value stands inside ${quote} quotes: …${part.slice(-40)}`);
  }
}

// `open` holds the quotes and parentheses that are open at the end of the text, the innermost last.
function followQuotes(text: string, open: string[]): void {
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    const innermost = open.at(-1);
    if (innermost === "'") {
      if (character === "'") open.pop();
    } else if (character === "\\") at++;
    else if (character === '"') innermost === '"' ? open.pop() : open.push('"');
    else if (character === "(" && (innermost !== '"' || text[at - 1] === "$")) open.push("(");
    else if (character === ")" && innermost === "(") open.pop();
    else if (innermost === '"') continue;
    else if (character === "'") open.push("'");
    else if (character === "#" && (at === 0 || /\s/.test(text[at - 1] as string))) {
      // A comment, up to the end of its line.
      const end = text.indexOf("\n", at);
      at = end === -1 ? text.length : end;
    }
  }
}
