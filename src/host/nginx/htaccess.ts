// What the .htaccess files of a release mean to visitors, as Apache 2.4 evaluates them: which files they keep from visitors, and which
// of their rules nginx does not follow. Runs on managed servers, as the project's user (access.ts): this file is copied there
// unchanged, with access-files.ts, so it imports nothing. Its input was written by a project.

/** `denied`: visitors do not get the file. `routed`: the front controller gets the request instead. */
export type Verdict = "open" | "denied" | "routed";

/** All visitors, some, none. As nginx checks neither passwords nor addresses, some are none. */
type Level = 0 | 1 | 2;
const [none, some, all] = [0, 1, 2] as const;

/** Access to a scope by `Require`, and by the directives of Apache 2.2, which are inherited separately. */
interface Access {
  required?: Level;
  listed?: Level;
  /** One of the two is enough (`Satisfy Any`). */
  isEither: boolean;
}

interface Rewrite {
  pattern: RegExp;
  isNegated: boolean;
  conditions: readonly Condition[];
  target: string;
  flags: readonly string[];
}

interface Condition {
  test: string;
  pattern: string;
  flags: readonly string[];
}

export interface Rules {
  access: Access;
  /** Sections for files whose name a pattern matches. */
  files: readonly { pattern: RegExp; access: Access }[];
  /** In place of those of the directories above; undefined: those hold. */
  rewrites?: readonly Rewrite[];
  /** Addresses that are answered with an error, as patterns of the whole path. */
  errors: readonly RegExp[];
  /** Kinds of rules that nginx does not follow. */
  unread: readonly string[];
  /** What lets only some visitors in. */
  closedBy: readonly string[];
}

/** The rules of a directory, whose address ends without a slash. */
export interface Scope {
  address: string;
  rules: Rules;
}

// Reading --------------------------------------------------------------------------------------------------------------------------

/** Directives of one scope, while they are read. */
interface Reading {
  pattern: RegExp | undefined;
  required: Group;
  order: string | undefined;
  allowed: Level;
  refused: Level;
  isEither: boolean;
  kinds: Set<string>;
}

/** `Require` lines that are evaluated together. */
interface Group {
  mode: string;
  items: Level[];
}

const newScope = (pattern?: RegExp): Reading => ({
  pattern,
  required: { mode: "requireany", items: [] },
  order: undefined,
  allowed: none,
  refused: none,
  isEither: false,
  kinds: new Set(),
});

/** Reads a file; `isTop`: it is that of the served directory, whose front controller the site has as well. */
export function readHtaccess(text: string, isTop: boolean): Rules {
  const reader = new Reader(isTop);
  const joined = text.replace(/^\uFEFF/, "").replace(/\\\r?\n/g, " ");
  for (const line of joined.split(/[\r\n]+/).map((each) => each.trim())) {
    const [, end, section, rest = ""] = /^<(\/?)(\w+)\s*(.*?)>$/.exec(line) ?? [];
    if (section === undefined) {
      const [name = "", ...words] = wordsOf(line);
      if (!name.startsWith("#")) reader.directive(name.toLowerCase(), words);
    } else if (end) reader.close(section.toLowerCase());
    else reader.open(section.toLowerCase(), wordsOf(rest));
  }
  return reader.rules();
}

const wordsOf = (line: string): string[] =>
  Array.from(line.matchAll(/"((?:\\"|[^"])*)"|'([^']*)'|(\S+)/g), ([, double, single, plain]) =>
    (double?.replaceAll('\\"', '"') ?? single ?? plain ?? "").slice(0, 1_000),
  );

class Reader {
  private readonly isTop: boolean;
  private readonly scopes = [newScope()];
  /** The open sections, with what ends with them. */
  private readonly sections: { name: string; isSkipped: boolean; scope?: Reading; group?: Group }[] = [];
  private conditions: Condition[] = [];
  private rewrites: Rewrite[] | undefined;
  private isRewriting = true;
  private readonly errors: RegExp[] = [];
  private readonly unread = new Set<string>();

  constructor(isTop: boolean) {
    this.isTop = isTop;
  }

  open(name: string, words: readonly string[]): void {
    const isRegex = name === "filesmatch" || words[0] === "~";
    const pattern = words.at(-1) ?? "";
    if (name === "files" || name === "filesmatch") {
      const read = isRegex ? regex(pattern) : regex(globSource(pattern));
      if (!read) this.unread.add("conditions");
      const scope = newScope(read);
      if (read) this.scopes.push(scope);
      this.sections.push({ name, isSkipped: !read, scope });
    } else if (/^require(?:any|all|none)$/.test(name)) {
      this.sections.push({ name, isSkipped: false, group: { mode: name, items: [] } });
    } else this.sections.push({ name, isSkipped: !this.applies(name, words) });
  }

  close(name: string): void {
    if (!this.sections.some((section) => section.name === name)) return;
    for (let ended = this.sections.pop(); ended; ended = this.sections.pop()) {
      const level = ended.group && resultOf(ended.group);
      if (level !== undefined && !this.isSkipping()) this.group().items.push(level);
      if (ended.name === name) return;
    }
  }

  /** Modules are there, and the version is 2.4. */
  private applies(name: string, words: readonly string[]): boolean {
    const [first = "", second = ""] = words.map((word) => word.toLowerCase());
    if (name === "ifmodule") return !first.startsWith("!");
    if (name === "ifdefine") return first.startsWith("!");
    if (name === "ifversion") return isVersion(second === "" ? "=" : first, second || first);
    if (name === "limit") return words.some((word) => /^get$/i.test(word));
    if (name === "limitexcept") return !words.some((word) => /^get$/i.test(word));
    this.unread.add("conditions");
    return false;
  }

  private isSkipping = (): boolean => this.sections.some(({ isSkipped }) => isSkipped);
  private scope = (): Reading => this.sections.findLast(({ scope }) => scope)?.scope ?? (this.scopes[0] as Reading);
  private group = (): Group => this.sections.findLast(({ group }) => group)?.group ?? this.scope().required;

  directive(name: string, words: readonly string[]): void {
    if (this.isSkipping()) return;
    const from = words.slice(1);
    if (name === "require") this.require(words.map((word) => word.toLowerCase()));
    else if (name === "order") this.scope().order = words.join("").toLowerCase();
    else if (name === "satisfy") this.scope().isEither = /^any$/i.test(words[0] ?? "");
    else if (name === "allow") this.scope().allowed = Math.max(this.scope().allowed, listed(from)) as Level;
    else if (name === "deny") this.scope().refused = Math.max(this.scope().refused, listed(from)) as Level;
    else this.other(name, words);
    if (name === "allow" || name === "deny") {
      this.scope().order ??= "deny,allow";
      if (listed(from) === some) this.scope().kinds.add(from.some(isVariable) ? "conditions" : "addresses");
    }
  }

  private require(words: readonly string[]): void {
    const isNegated = words[0] === "not";
    const [kind = "", ...values] = isNegated ? words.slice(1) : words;
    const level = requiredLevel(kind, values);
    if (level === some) this.scope().kinds.add(kindOfRequirement(kind));
    // All but some visitors are nearly all of them.
    const negated = level === all ? none : all;
    this.group().items.push(isNegated ? negated : level);
  }

  private other(name: string, words: readonly string[]): void {
    const kind = otherKinds.find(
      ([names, isUnread]) => names.test(name) && (isUnread?.(words, this.isTop) ?? true),
    )?.[2];
    if (kind) this.unread.add(kind);
    if (name === "rewriteengine") {
      this.rewrites ??= [];
      this.isRewriting = !/^off$/i.test(words[0] ?? "");
    }
    if (name === "rewritecond" && words.length > 1) {
      this.conditions.push({ test: words[0] as string, pattern: words[1] as string, flags: flagsOf(words[2]) });
    }
    if (name === "rewriterule" && this.isRewriting) this.rewrite(words);
    if (/^redirect(?:match)?$/.test(name)) this.redirect(name, words);
  }

  private rewrite([text = "", target = "", flagText]: readonly string[]): void {
    const flags = flagsOf(flagText);
    const source = text.replace(/^!/, "");
    const pattern = regex(source, flags.includes("nc") || flags.includes("nocase"));
    const { conditions } = this;
    this.conditions = [];
    if (pattern) {
      const rule = { pattern, isNegated: text !== source, conditions, target, flags };
      this.rewrites = [...(this.rewrites ?? []), rule];
      if (isFollowed(rule, this.isTop)) return;
    }
    this.unread.add("rewrites");
  }

  private redirect(name: string, words: readonly string[]): void {
    const [status = "", path = ""] = words;
    const isError = /^4\d\d$|^gone$/i.test(status);
    const prefix = `^${path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\/$/, "")}(?:/|$)`;
    const pattern = isError ? regex(name === "redirect" ? prefix : path) : undefined;
    if (pattern) this.errors.push(pattern);
    else this.unread.add("redirects");
  }

  rules(): Rules {
    const [own, ...files] = this.scopes as [Reading, ...Reading[]];
    const closedBy = new Set<string>();
    for (const scope of this.scopes) {
      const isClosed = levelOf(accessOf(scope)) === some;
      for (const kind of scope.kinds) (isClosed ? closedBy : this.unread).add(kind);
    }
    return {
      access: accessOf(own),
      files: files.map((scope) => ({ pattern: scope.pattern as RegExp, access: accessOf(scope) })),
      ...(this.rewrites && { rewrites: this.rewrites }),
      errors: this.errors,
      unread: [...this.unread],
      closedBy: [...closedBy],
    };
  }
}

// Directives without meaning for access, by their names: those that change what visitors get, unless their words are harmless.
type IsUnread = (words: readonly string[], isTop: boolean) => boolean;
const otherKinds: readonly [names: RegExp, isUnread: IsUnread | undefined, kind: string][] = [
  [/^(?:request)?header$|^expires/, undefined, "headers"],
  [/^php_/, undefined, "PHP settings"],
  [/^(?:add|set|remove)handler$|^forcetype$|^removetype$/, undefined, "handlers"],
  [/^addtype$/, (words) => words.some((word) => /php/i.test(word)), "handlers"],
  [/^options$/, (words) => words.some((word) => /^\+?(?:execcgi|includes)/i.test(word)), "handlers"],
  [/^errordocument$/, ([, page = ""]) => /^(?:\/(?!index\.php)|https?:)/.test(page), "error pages"],
  [/^directoryindex$/, ([page = ""]) => !/^\/?index\.(?:php|html?)$/.test(page), "index pages"],
  [/^setenv(?:if(?:nocase)?)?$/, (words) => !/^authorization$/i.test(words[0] ?? ""), "variables"],
  [/^redirect(?:permanent|temp)$/, undefined, "redirects"],
];

const flagsOf = (text = ""): string[] =>
  text
    .replace(/^\[|\]$/g, "")
    .split(",")
    .map((flag) => flag.trim().toLowerCase());

const globSource = (glob: string): string =>
  `^${glob
    .replace(/[.+^${}()|\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".")}$`;

/** A pattern of Apache's; undefined: it cannot be read. */
function regex(source: string, ignoresCase = false): RegExp | undefined {
  const [inline = "", flags = ""] = /^\(\?([is]+)\)/.exec(source) ?? [];
  try {
    return new RegExp(source.slice(inline.length), `s${ignoresCase || flags.includes("i") ? "i" : ""}`);
  } catch {
    return undefined;
  }
}

const own = [2, 4, 62];

function isVersion(operator: string, text: string): boolean {
  const wanted = text.split(".").map(Number);
  const at = wanted.findIndex((number, place) => number !== own[place]);
  const order = at === -1 ? 0 : Math.sign((own[at] as number) - (wanted[at] as number));
  const isTrue: Record<string, boolean> = {
    "=": order === 0,
    "==": order === 0,
    ">": order > 0,
    ">=": order >= 0,
    "<": order < 0,
    "<=": order <= 0,
  };
  return operator.startsWith("!") ? !isTrue[operator.slice(1)] : (isTrue[operator] ?? false);
}

// Access ---------------------------------------------------------------------------------------------------------------------------

const isLocal = (word: string): boolean => /^(?:127\.[\d.]*(?:\/\d+)?|::1(?:\/128)?|localhost)$/i.test(word);
const isVariable = (word: string): boolean => /^!?env=/i.test(word);

/** Whom `Allow` or `Deny` names. This server itself is no visitor. */
function listed(words: readonly string[]): Level {
  if (words.some((word) => /^all$/i.test(word))) return all;
  return words.every(isLocal) ? none : some;
}

function requiredLevel(kind: string, values: readonly string[]): Level {
  if (kind === "all") return values[0] === "granted" ? all : none;
  if (kind === "local") return none;
  if (kind === "method") return values.includes("get") ? all : none;
  return (kind === "ip" || kind === "host") && values.every(isLocal) ? none : some;
}

const kindOfRequirement = (kind: string): string => {
  if (/^(?:ip|host|forward-dns)$/.test(kind)) return "addresses";
  return /^(?:env|expr)$/.test(kind) ? "conditions" : "passwords";
};

function resultOf({ mode, items }: Group): Level | undefined {
  if (items.length === 0) return undefined;
  if (mode === "requireany") return Math.max(...items) as Level;
  if (mode === "requireall") return Math.min(...items) as Level;
  return items.includes(all) ? none : all;
}

function accessOf({ required, order, allowed, refused, isEither }: Reading): Access {
  const isAllowFirst = order !== undefined && /^(?:allow,deny|mutual-failure)$/.test(order);
  const unlessAllowed = refused === all ? allowed : all;
  const unlessRefused = refused === all ? none : allowed;
  const level = resultOf(required);
  return {
    ...(level !== undefined && { required: level }),
    ...(order !== undefined && { listed: isAllowFirst ? unlessRefused : unlessAllowed }),
    isEither,
  };
}

const levelOf = ({ required = all, listed = all, isEither }: Access): Level =>
  (isEither ? Math.max(required, listed) : Math.min(required, listed)) as Level;

/** Inner scopes replace what outer ones say, each of the two kinds for itself. */
const within = (outer: Access, inner: Access): Access => ({
  ...outer,
  ...inner,
  isEither: inner.isEither || outer.isEither,
});

// Rewriting ------------------------------------------------------------------------------------------------------------------------

// Names that no pattern is made for: what matches them matches every name.
const anyNames = ["zq7k", "zq7k.zq7k", "zq7k/zq7k.zq7k"];

const isError = ({ flags }: Rewrite): boolean =>
  flags.some((flag) => /^(?:f|forbidden|g|gone|(?:r|redirect)=4\d\d)$/.test(flag));

const isFrontController = (target: string): boolean => /^(?:%\{env:base\}|\.)?\/?index\.php(?:[?/].*)?$/i.test(target);

/** Whether a rule needs no mention: it is followed, or the site does the same by itself. */
function isFollowed(rule: Rewrite, isTop: boolean): boolean {
  const { target, conditions } = rule;
  if (isError(rule)) return conditions.every((condition) => holds(condition, "x") !== undefined);
  if (target === "-") return true;
  // Redirects to HTTPS, to the main name, and without a slash at the end.
  if (/^https?:\/\/(?:%\{(?:HTTP_HOST|SERVER_NAME)\}|www\.%|%1)/i.test(target)) return true;
  if (isTop && /^(?:%\{env:base\})?\/?[$%]1$/i.test(target)) return true;
  return isTop && (isFrontController(target) || (isHiding(rule) && !/\.\w+$/.test(target)));
}

/** Whether a rule takes requests away from the files that it matches, and says nothing about all others. */
const isHiding = ({ target, pattern, isNegated }: Rewrite): boolean =>
  !/[$%]\d|%\{|^https?:/.test(target.split("?")[0] ?? "") &&
  !anyNames.every((name) => pattern.test(name) !== isNegated);

/** Whether a condition is true for a file that exists; undefined: that depends on the request. */
function holds({ test, pattern, flags }: Condition, address: string): boolean | undefined {
  const isNegated = pattern.startsWith("!");
  const wanted = isNegated ? pattern.slice(1) : pattern;
  if (/^%\{(?:REQUEST|SCRIPT)_FILENAME\}$/i.test(test) && /^-[a-z]$/i.test(wanted)) return !isNegated;
  if (!/^%\{REQUEST_URI\}$/i.test(test)) return undefined;
  const read = regex(wanted, flags.includes("nc"));
  return read && read.test(address) !== isNegated;
}

/** Conditions hold together; with [OR], one of a row is enough. */
function allHold(conditions: readonly Condition[], address: string): boolean {
  let row = false;
  for (const condition of conditions) {
    row ||= holds(condition, address) === true;
    if (condition.flags.some((flag) => /^or(?:next)?$/.test(flag))) continue;
    if (!row) return false;
    row = false;
  }
  return true;
}

/** `exists`: whether the served directory has a file. */
type Exists = (address: string) => boolean;

function rewritten({ address: directory, rules }: Scope, address: string, exists: Exists): Verdict {
  const path = address.slice(directory.length + 1);
  for (const rule of rules.rewrites ?? []) {
    const { pattern, isNegated, target, flags } = rule;
    if (pattern.test(path) === isNegated || !allHold(rule.conditions, address)) continue;
    if (isError(rule)) return "denied";
    const isLast = flags.some((flag) => /^(?:l|last|end)$/.test(flag));
    if (target === "-" && !isLast) continue;
    if (target === "-" || flags.some((flag) => /^r(?:edirect)?(?:=|$)/.test(flag)) || !isHiding(rule)) return "open";
    if (directory === "" && isFrontController(target)) return "routed";
    const [file = ""] = target.split("?");
    return exists(file.startsWith("/") ? file : `${directory}/${file}`) ? "open" : "denied";
  }
  return "open";
}

// Deciding -------------------------------------------------------------------------------------------------------------------------

/** What visitors get at the address of a file, by the rules of the directories above it, the outermost first. */
export function verdictOf(scopes: readonly Scope[], address: string, exists: Exists): Verdict {
  const name = address.slice(address.lastIndexOf("/") + 1);
  const sections = scopes.flatMap(({ rules }) => rules.files.filter(({ pattern }) => pattern.test(name)));
  const accesses = [...scopes.map(({ rules }) => rules.access), ...sections.map(({ access }) => access)];
  if (levelOf(accesses.reduce(within, { isEither: false })) !== all) return "denied";
  if (scopes.some(({ rules }) => rules.errors.some((pattern) => pattern.test(address)))) return "denied";
  const rewriting = scopes.findLast(({ rules }) => rules.rewrites);
  return rewriting ? rewritten(rewriting, address, exists) : "open";
}

/** The same for whatever a directory holds; `open` if that depends on names. */
export function verdictOfDirectory(scopes: readonly Scope[], address: string, exists: Exists): Verdict {
  const [first = "open", ...others] = anyNames.map((name) => verdictOf(scopes, `${address}/${name}`, exists));
  return others.every((other) => other === first) ? first : "open";
}

/** Directories that a file's rules name and deny, which may be made later. */
export function namedDirectories({ address, rules }: Scope): string[] {
  const rewrites = (rules.rewrites ?? []).filter((rule) => isError(rule) && !rule.isNegated);
  const below = rewrites.flatMap(({ pattern }) => beginningsOf(pattern.source).map((path) => `${address}/${path}`));
  return [...below, ...rules.errors.flatMap(({ source }) => beginningsOf(source).map((path) => `/${path}`))];
}

/** The paths that a pattern begins with, as far as it is plain: `^a/(b|c)/.*$` begins with `a/b` and `a/c`. */
function beginningsOf(source: string): string[] {
  let beginnings = [""];
  let rest = source.replace(/^\^?(?:\\?\/)?/, "");
  for (;;) {
    const [piece, plain, list = ""] =
      /^((?:[\w-]|\\?\/|\\[.-])+)|^\((?:\?:)?((?:[\w-]|\\?\/|\\[.-])+(?:\|(?:[\w-]|\\?\/|\\[.-])+)*)\)/.exec(rest) ??
      [];
    if (piece === undefined) break;
    rest = rest.slice(piece.length);
    // What may be repeated or left out is not plain.
    if (/^[?*+{]/.test(rest)) break;
    const words = (plain ?? list).replaceAll("\\", "").split("|");
    beginnings = beginnings.flatMap((each) => words.map((word) => each + word)).slice(0, 50);
  }
  return beginnings.map((each) => each.replace(/\/+$/, "")).filter((each) => /^[^/.]+(?:\/[^/.][^/]*)*$/.test(each));
}

// Sentences ------------------------------------------------------------------------------------------------------------------------

/** One sentence each about rules that nginx does not follow, and about what they close; `files` by their paths. */
export function sentencesAbout(files: ReadonlyMap<string, Pick<Rules, "unread" | "closedBy">>): string[] {
  const named = (list: (rules: Pick<Rules, "unread" | "closedBy">) => readonly string[]): string => {
    const found = [...files].filter(([, rules]) => list(rules).length > 0);
    const shown = found.slice(0, 4).map(([path, rules]) => `${path} (${list(rules).join(", ")})`);
    const more = found.length - shown.length;
    return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  };
  const unread = named(({ unread }) => unread);
  const closed = named(({ closedBy }) => closedBy);
  return [
    ...(unread ? [`nginx does not follow all rules of ${unread}.`] : []),
    ...(closed ? [`No visitor gets what ${closed} opens to some: nginx does not check that.`] : []),
  ];
}
