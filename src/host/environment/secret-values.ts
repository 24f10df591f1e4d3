import { quote } from "../sh.ts";
import { type Entry, readEnvironment } from "./environment.ts";
import { isPlain } from "./plain-text.ts";

// Which parts of a project's environment are secret, so that its logs stay readable where they are masked. A value counts as
// secret by the name of its variable, and otherwise unless it looks like a setting: in doubt it is masked.

/** The user's own choice for single variables, by name: whether the value is masked. */
export type MaskingChoices = Readonly<Record<string, boolean>>;

/** The texts that must not appear in a log of a project with this .env text. Empty for an invalid one. */
export function secretsIn(text: string, choices: MaskingChoices = {}): string[] {
  if (readEnvironment(text).errors.length > 0) return [];
  const secrets = [text, commentedLines(text)].flatMap((part) =>
    readEnvironment(part).entries.flatMap((entry) => printedForms(entry, part, choices)),
  );
  return [...new Set(secrets)];
}

/** Whether a part of the variable's value is masked. */
export const isMasked = (variable: { name: string; value: string }, choices: MaskingChoices = {}): boolean =>
  secretParts(variable, choices).length > 0;

// A line that was switched off still has its secret when a program prints the file.
const commentedLines = (text: string): string =>
  text
    .split("\n")
    .flatMap((line) => /^\s*#+\s*(.*)$/.exec(line)?.[1] ?? [])
    .join("\n");

/** The secret parts of a value as programs print it, as the file has it, and as it is quoted for bash. */
function printedForms(entry: Entry, text: string, choices: MaskingChoices): string[] {
  const { name, value, start, end } = entry;
  const parts = secretParts(entry, choices);
  if (!parts.includes(value)) return parts;
  const line = text.replace(/^\uFEFF/, "").slice(start, end);
  const written = line.slice(line.indexOf("=") + 1).trim();
  const forms = [...parts, unquoted(written), ...(value.includes("'") ? [quote(value)] : [])];
  // What is too short to be masked everywhere is masked beside its name.
  return value.length < shortest
    ? [...forms, `${name}=${written}`, `${name}=${value}`, `${name}=${quote(value)}`]
    : forms;
}

const unquoted = (written: string): string => /^(["'`])([\s\S]*)\1$/.exec(written)?.[2] ?? written;

/** The parts of a value that are secret: all of it, or the credentials in it, each long enough to be masked. */
function secretParts({ name, value }: { name: string; value: string }, choices: MaskingChoices): string[] {
  const choice = Object.hasOwn(choices, name) ? choices[name] : undefined;
  if (choice === false || isSwitch.test(value)) return [];
  if (choice === true) return [value];
  if (isSecretName(name) && !isFilePath(value)) return [value, ...itemsOf(value).filter((item) => item.length > 15)];
  const spans = [...itemSpans(value)].flatMap(([start, item]) => secretSpans(item, start));
  const hasWholeItem = spans.some(({ isItem }) => isItem);
  const parts = spans.flatMap(({ start, end }) => widened(value, start, end));
  return hasWholeItem ? [value, ...parts] : parts;
}

/** The secrets that a command passes to programs: `NAME=value`, `--name=value`, and credentials in addresses. */
export function secretsInCommand(command: string): string[] {
  const given = [...command.matchAll(/(?<![\w-])([\w-]+)=("[^"]*"|'[^']*'|[^\s;&|'"]+)/g)]
    .filter(([, name = ""]) => isSecretName(name))
    .map(([whole, , value = ""]) => (value.length < shortest ? whole : unquoted(value)));
  const addresses = [...command.matchAll(/[a-z][a-z0-9+.-]{0,20}:\/\/[^\s'"`;|<>()]+/gi)].flatMap(([url]) =>
    urlSpans(url, url.indexOf("//") + 2).flatMap(({ start, end }) => widened(url, start, end)),
  );
  return [...given, ...addresses];
}

const isSwitch = /^(|null|nil|none|true|false|yes|no|on|off)$/i;

// Names ----------------------------------------------------------------------------------------------------------------

const secretWords =
  /^(pass|passwd|password|passwort|passphrase|passcode|pwd|pw|secrets?|keys?|apikey|tokens?|credentials?|creds|salt|seed|pin|otp|jwt|signature|pat|auth|cookie|mnemonic|psk|private)$/;
/** What may follow the word that says what a value is. */
const qualifiers = /^(\d+|id|base|base64|b64|hex|value|current|old|new|previous|next|prod|dev|test|staging|live|file)$/;

/** Whether the name ends with a word for secrets, as in APP_KEY, DB_PASSWORD_2, apiToken and AWS_ACCESS_KEY_ID. */
export function isSecretName(name: string): boolean {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[_.-]+/)
    .filter((word) => word !== "");
  while (words.length > 1 && qualifiers.test(words.at(-1) as string)) words.pop();
  const last = words.at(-1) ?? "";
  // PGPASSWORD, MYSQL_PWD, GITHUBTOKEN
  return secretWords.test(last) || /(password|passwd|secret|token|apikey)$/.test(last);
}

/** A path such as /etc/ssl/private/site.key, and no secret that begins with a slash. */
const isFilePath = (value: string): boolean => /^(\.{0,2}|~)\/[\w./-]+$/.test(value) && isPlain(value);

// Values ---------------------------------------------------------------------------------------------------------------

interface Span {
  start: number;
  end: number;
  isItem?: boolean;
}

const separators = /[\s,|]+/;

const itemsOf = (value: string): string[] => value.split(separators).filter((item) => item !== "" && item !== value);

function* itemSpans(value: string): Generator<[number, string]> {
  for (const match of value.matchAll(/[^\s,|]+/g)) yield [match.index, match[0]];
}

/** The secret spans of one word of a value, which begins at `offset` of it. */
function secretSpans(item: string, offset: number): Span[] {
  const named = [...item.matchAll(/(?<![\w-])([\w-]+)=([^;&\s'"]+)/g)].filter(([, name = ""]) => isSecretName(name));
  const spans: Span[] = named.map(({ index, 0: whole, 2: given = "" }) => ({
    start: index + whole.length - given.length,
    end: index + whole.length,
  }));
  const url = /^([a-z][a-z0-9+.-]*:)?\/\//i.exec(item);
  if (url) spans.push(...urlSpans(item, url[0].length));
  else if (/^[^:/@\s]+:[^@\s]+@/.test(item)) spans.push(...userSpans(item, 0, item.lastIndexOf("@")));
  else if (spans.length === 0 && !isPlain(item)) spans.push({ start: 0, end: item.length, isItem: true });
  return spans.map(({ start, end, ...rest }) => ({ start: start + offset, end: end + offset, ...rest }));
}

/** The credentials of an address, and the parts of its path and query that look like secrets. */
function urlSpans(url: string, afterScheme: number): Span[] {
  const found = url.slice(afterScheme).search(/[/?#]/);
  const authorityEnd = found === -1 ? url.length : afterScheme + found;
  const authority = url.slice(afterScheme, authorityEnd);
  // A password may have an unescaped slash: what is before it is no host then.
  const isCut = authority.includes(":") && !authority.includes("@") && !/:\d{1,5}$/.test(authority);
  const at = isCut ? url.indexOf("@", authorityEnd) : url.lastIndexOf("@", authorityEnd - 1);
  const hasUser = at >= afterScheme;
  const rest = hasUser ? Math.max(authorityEnd, at + 1) : authorityEnd;
  const path = [...url.slice(rest).matchAll(/[^/?#&=;:,]+/g)]
    .filter(([part]) => !isPlain(part))
    .map(({ index, 0: part }) => ({ start: rest + index, end: rest + index + part.length }));
  return [...(hasUser ? userSpans(url, afterScheme, at) : []), ...path];
}

/** The password of `user:password@`; the user if it is alone and looks like a key. */
function userSpans(item: string, start: number, at: number): Span[] {
  const colon = item.indexOf(":", start);
  if (colon !== -1 && colon < at) {
    const user = item.slice(start, colon);
    const password = { start: colon + 1, end: at };
    return [...(isPlain(user) ? [] : [{ start, end: colon }]), ...(colon + 1 < at ? [password] : [])];
  }
  return isPlain(item.slice(start, at)) ? [] : [{ start, end: at }];
}

/** Shorter texts are not masked: masked with their surroundings, they are. */
const shortest = 8;

function widened(value: string, start: number, end: number): string[] {
  const part = value.slice(start, end);
  const forms = [part, decoded(part)];
  let [from, to] = [start, end];
  while (to - from < shortest && (from > 0 || to < value.length)) {
    if (to < value.length) to++;
    if (from > 0 && to - from < shortest) from--;
  }
  return [...new Set([...forms, value.slice(from, to)])];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
