import { readFileSync } from "node:fs";
import { deepest } from "./access-files.ts";

// What the .htaccess files of a release keep from visitors. A deployment reads them (access-files.ts) and leaves a directory
// `.longshore/access` in the release, with a directory for each address whose verdict differs from that of the address above it.
// The site looks the request's address up in there, so that it needs no reload, and a rollback brings the former rules back.

/** The program that reads the files of a release. Arguments: those of `main`. */
export const accessProgram: string = [
  readFileSync(new URL("htaccess.ts", import.meta.url), "utf8"),
  readFileSync(new URL("access-files.ts", import.meta.url), "utf8").replace(
    /^import [^;]* from "\.\/htaccess\.ts";$/m,
    "",
  ),
  "main();\n",
].join("\n");

const places = Array.from({ length: deepest }, (_, at) => at + 1);

// `place_1` is the first directory of an address, `place_2` the first two, and so on.
const prefixes = places.reduce((inner, at) => `(?<place_${at}>${inner}(?:/[^/]+)?)`, "");

export const access = "$release_directory/.longshore/access";

/** Answers 403 for what the release denies. For what belongs to the front controller, `$routed` is `yes`. */
export const followAccess: readonly string[] = [
  "# What .htaccess files of the release deny: the nearest directory or file with an entry decides.",
  "set $access none;",
  `if (-d ${access}) { set $access ${access}; }`,
  'set $place "";',
  'set $refused "";',
  'set $routed "";',
  `if ($asked ~ "(?s)^${prefixes}") { set $refused ""; }`,
  ...places.map((at) => `if (-d $access$place_${at}) { set $place $place_${at}; }`),
  "if (-f $access$place/.denied) { set $refused yes; }",
  "if (-f $access$place/.routed) { set $routed yes; }",
  "if ($refused) { return 403; }",
];
