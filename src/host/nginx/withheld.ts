// Files that a site sends to no visitor: the one list of them, with the reasons. docs/php.md has it for readers.

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

/**
 * Answers 404 for files that no visitor gets, by this list and by `followAccess`, which comes before. Those that are not there are
 * addresses like any other.
 */
export const withhold = (family: "static" | "php"): string[] => [
  "# Files that no visitor gets. What follows a script is the script's own.",
  "set $file $uri;",
  "set $withheld /nonexistent;",
  ...(family === "static"
    ? [`if ($file ~* "(?s)${sourcePattern}") { set $withheld $release$file; }`]
    : [
        'if ($uri ~ "(?s)^(.*?[^/]\\.php)/") { set $file $1; }',
        'set $project_file "";',
        "if (-f $release_directory/.longshore/sources) { set $project_file $file; }",
        "# Of packages, only what pages load. A directory of that name with an index page is a part of the application.",
        "set $packages /nonexistent;",
        `if ($project_file ~* "(?s)${packages}") { set $packages $1; set $withheld $release$file; }`,
        "if (-f $release$packages/index.php) { set $withheld /nonexistent; }",
        `if ($project_file ~* "(?s)${pattern(sources)}") { set $withheld $release$file; }`,
        `if ($file ~* "(?s)${onPhpSites}") { set $withheld $release$file; }`,
      ]),
  "if ($routed) { set $withheld $release$file; }",
  "if (-f $withheld) { return 404; }",
  ...(family === "php" ? ["if ($routed) { rewrite ^ /index.php; }"] : []),
];
