import { access, followAccess } from "./access.ts";
import { block } from "./block.ts";
import { alwaysAnswered } from "./well-known.ts";

// Files that a site sends to no visitor: the one list of them, with the reasons. docs/frameworks.md has it for readers.

interface Kind {
  why: string;
  /** Endings of names, as a regular expression in any case. */
  endings?: string;
  /** Whole names, likewise. */
  names?: string;
}

/** On static and PHP sites. The code that runs on a server is never what a visitor asked for. */
const everywhere: readonly Kind[] = [
  { why: "source that no server here runs", endings: "phtml|pht|phps|phpt|phar|inc|cgi|fcgi|aspx?|ascx|jspx?|cfm" },
  { why: "environment variables", endings: "env" },
];

/** On PHP sites, also in a directory that is made to be served: applications write them, mostly beside their scripts. */
const beside: readonly Kind[] = [
  { why: "databases and dumps of them", endings: "sqlite[0-9]?|sqlitedb|s3db|db[0-9]?|mdb|accdb|sql|dump" },
  { why: "logs", endings: "log", names: "(?:error|debug|access)_log" },
  { why: "what editors and people keep of earlier versions", endings: "bak|backup|old|orig|save|sw[a-p]" },
  { why: "PHP with endings of its own, as in Drupal", endings: "module|install|theme|engine|profile" },
];

/** Where the project itself is served, and not a directory that was made for that. */
const sources: readonly Kind[] = [
  { why: "configuration", endings: "ini|ya?ml|neon|toml|conf|cfg|config|properties|dist", names: "phpunit\\.xml" },
  { why: "keys", endings: "pem|p12|pfx|jks|kdbx" },
  {
    why: "lists of packages, which show versions",
    endings: "lock|lockb",
    names: "(?:composer|installed|auth|package|package-lock|npm-shrinkwrap|bower|[jt]sconfig[^/]*)\\.json",
  },
  { why: "templates", endings: "twig|latte|tpl|smarty|blade\\.php|volt" },
  {
    why: "scripts",
    endings: "sh|bash|bat|cmd|ps1|py[co]?|rb|pl|pm|mk",
    names: "artisan|spark|yii|craft|please|console|occ|(?:Docker|Proc|Vagrant|Gem|Rake|Make)file",
  },
];

/** Of packages, pages load files of these kinds only. */
const assets = "css|m?js|map|png|jpe?g|gif|svg|webp|avif|ico|cur|bmp|woff2?|ttf|otf|eot|wasm|mp[34]|webm|og[gv]|wav";

// A copy under another name, or compressed.
const copies =
  "(?:~|[._-](?:bak|backup|copy|dist|example|old|orig|sample|save|sw[a-p]|tmp|txt|[0-9]+))*(?:\\.(?:gz|br|zst|bz2|xz|zip|7z))?";

const databaseFiles = "(?:-(?:wal|shm|journal))?";

function pattern(kinds: readonly Kind[]): string {
  const endings = kinds.flatMap((kind) => kind.endings ?? []).join("|");
  const names = kinds.flatMap((kind) => kind.names ?? []);
  const named = names.length === 0 ? "" : `|/(?:${names.join("|")})`;
  return `(?:\\.(?:${endings})${databaseFiles}${named})${copies}$`;
}

const php: Kind = { why: "PHP", endings: "php[0-9]?" };

/** The source of programs, for a site that runs none. */
export const sourcePattern = pattern([...everywhere, php]);

// nginx gives PHP what ends in `.php`. In upper case, or as a copy, it would send it.
const onPhpSites = `^(?!.*\\.(?-i:php)$).*(?:${pattern([...everywhere, php, ...beside])}|~$)`;
const packages = `^(?!.*\\.(?:${assets})$)(.*?/(?:vendor|node_modules))/`;

// Files for every visitor, unless rules of the release deny them.
const plainFiles = `^(?!.*\\.php/).*\\.(?:${assets})$`;

const checkPath = "/.longshore/files";

/**
 * Decides which requests go through `fileCheck`; the last directives of a server that rewrite. Pages load more files of the kinds
 * that are left out than any others.
 */
export const checkFiles: readonly string[] = [
  "# Which files no visitor gets is decided in a location of its own: the tests of the others need not look at each link.",
  "set $asked $uri;",
  "set $check yes;",
  `if ($uri ~* "(?s)${plainFiles}") { set $check ""; }`,
  `if (-d ${access}) { set $check yes; }`,
  `if ($uri ~ "^${alwaysAnswered}") { set $check ""; }`,
  `if ($check) { rewrite ^ ${checkPath} last; }`,
];

/** For a location: checks its address, and continues as without the check. */
export const checkedAddress: readonly string[] = ["set $asked $uri;", `rewrite ^ ${checkPath} last;`];

/**
 * Answers 403 for `$asked` if the release denies it, and 404 for files that no visitor gets; anything else is answered as usual.
 * nginx follows the project's links only to the project's own files: otherwise its answers would show which files there are on the
 * server.
 */
export const fileCheck = (family: "static" | "php"): string[] =>
  block(`location = ${checkPath}`, [
    "internal;",
    "disable_symlinks if_not_owner from=$release_directory;",
    `if ($asked = ${checkPath}) { return 404; }`,
    "# Tests of what is not there are cheapest with a relative path.",
    ...followAccess,
    "# What follows a script is the script's own.",
    "set $file $asked;",
    "set $withheld none;",
    ...(family === "static"
      ? [`if ($file ~* "(?s)${sourcePattern}") { set $withheld $release$file; }`]
      : [
          'if ($asked ~ "(?s)^(.*?[^/]\\.php)/") { set $file $1; }',
          'set $project_file "";',
          "if (-f $release_directory/.longshore/sources) { set $project_file $file; }",
          "# Of packages, only what pages load. A directory of that name with an index page is a part of the application.",
          "set $packages none;",
          `if ($project_file ~* "(?s)${packages}") { set $packages $release$1/index.php; set $withheld $release$file; }`,
          "if (-f $packages) { set $withheld none; }",
          `if ($project_file ~* "(?s)${pattern(sources)}") { set $withheld $release$file; }`,
          `if ($file ~* "(?s)${onPhpSites}") { set $withheld $release$file; }`,
        ]),
    "if ($routed) { set $withheld $release$file; }",
    "if (-f $withheld) { return 404; }",
    ...(family === "php" ? ["if ($routed) { rewrite ^ /index.php last; }"] : []),
    "rewrite ^ $asked last;",
  ]);
