import { posix } from "node:path";
import { pathInRelease } from "../../../host/layout.ts";
import { objectOf } from "../../../lib/foreign.ts";
import type { Framework } from "../frameworks.ts";
import type { RepositoryFiles } from "./files.ts";
import { objectIn } from "./found.ts";
import type { PathsProposal } from "./proposal.ts";

// Paths that the application will write to: releases replace everything else. Paths are relative to the directory of the application.

interface Found {
  path: string;
  reason: string;
}

/** The shared directories and files that a project should have, besides those of its framework. */
export function sharedPathsFor(
  files: RepositoryFiles,
  directory: string,
  framework: Framework | undefined,
): { directories: PathsProposal | null; files: PathsProposal | null } {
  if (!framework || framework.runtimeFamily === "static") return { directories: null, files: null };
  const kept = framework.keeps?.directories ?? [];
  const directories = [...emptyDirectories(files), ...ignored(files, "directory"), ...ofPackages(files)];
  const databases = [...ignored(files, "file"), ...configuredDatabases(files)];
  const left = withoutNested(directories.filter(({ path }) => !kept.some((each) => contains(each, path))));
  const isShared = (path: string) => [...kept, ...left.map((each) => each.path)].some((each) => contains(each, path));
  return {
    directories: proposed(left, directory),
    files: proposed(
      databases.filter(({ path }) => !isShared(path)),
      directory,
    ),
  };
}

const mostPaths = 20;

function proposed(found: readonly Found[], directory: string): PathsProposal | null {
  const paths = new Map(found.map(({ path, reason }) => [posix.join(directory, path), reason]));
  const kept = [...paths].filter(([path]) => pathInRelease(path) === path).slice(0, mostPaths);
  if (kept.length === 0) return null;
  return {
    value: kept.map(([path]) => path),
    reason: [...new Set(kept.map(([, reason]) => reason))].join(" "),
  };
}

const contains = (directory: string, path: string): boolean => path === directory || path.startsWith(`${directory}/`);

const withoutNested = (found: readonly Found[]): Found[] =>
  found.filter(
    ({ path }, at) =>
      !found.some(
        (other, otherAt) => contains(other.path, path) && (other.path !== path || otherAt < at) && otherAt !== at,
      ),
  );

/** Files that only make git keep a directory, the web server close it, or a person understand it. */
const placeholder =
  /^(?:\.gitkeep|\.keep|\.gitignore|\.htaccess|web\.config|index\.html?|readme.*|.*\.(?:default|example|sample|dist)(?:\..*)?)$/i;
const closing = /^(?:\.htaccess|web\.config|index\.html?)$/;

/** Names of directories that are not data, wherever they are: caches, code, results of builds. */
const notData =
  /^(?:\..*|cache|caches|tmp|temp|logs?|sessions?|node_modules|vendor|src|lib|tests?|__tests__|spec|fixtures|docs?|examples?|migrations|translations|lang|locales?|templates|views|layouts|components|pages|config|dist|build|out|public|public_html|web|htdocs|www|static|coverage|cypress|e2e)$/i;

/** Names of directories that applications write to. */
const data =
  /(?:^|[-_.])(?:data|uploads?|uploaded|files?|media|storage|content|images?|photos?|pictures?|avatars?|attachments?|documents?|db|databases?|sqlite|store|backups?|accounts?|users?|downloads?|archive|state|instance|exports?|imports?|invoices?)$/i;

/** The uppermost directories of placeholders, of which the name or a file that closes them shows that they are for data. */
function emptyDirectories({ paths }: RepositoryFiles): Found[] {
  const full = new Set(
    paths.filter((path) => !placeholder.test(posix.basename(path))).flatMap((path) => parentsOf(path)),
  );
  const holders = new Map<string, string[]>();
  for (const path of paths) {
    const free = parentsOf(path).find((each) => !full.has(each));
    if (free) holders.set(free, [...(holders.get(free) ?? []), posix.basename(path)]);
  }
  return [...holders].flatMap(([path, names]) => {
    const name = posix.basename(path);
    const isForData = data.test(name) || names.some((each) => closing.test(each));
    // What lies in a directory of code belongs to the code.
    if (!isForData || notData.test(name) || /^(?:src|lib|tests?|spec)\//.test(path)) return [];
    return [
      { path, reason: `The repository has the directory ${path} without content, for what the application writes.` },
    ];
  });
}

/** The directories above a path, the uppermost first. */
const parentsOf = (path: string): string[] => {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
};

const databaseFile = /\.(?:db|db3|sqlite|sqlite3)$/i;

/** What the repository's .gitignore names as data. */
const ignored = ({ paths, contents }: RepositoryFiles, kind: "directory" | "file"): Found[] =>
  (contents[".gitignore"] ?? "").split("\n").flatMap((line) => {
    const entry = line.trim();
    const path = entry.replace(/^\/|\/?\*{0,2}$/g, "").replace(/\/$/, "");
    if (path === "" || entry.startsWith("!") || entry.startsWith("#") || /[*?[\\]/.test(path)) return [];
    const isFile = databaseFile.test(path);
    const isData = isFile || (data.test(posix.basename(path)) && !notData.test(posix.basename(path)));
    const isRight = isData && isFile === (kind === "file");
    if (!isRight || paths.some((each) => contains(path, each) && !placeholder.test(posix.basename(each)))) return [];
    return [{ path, reason: `.gitignore leaves ${path} out, as what the application writes.` }];
  });

/** Where some frameworks write uploads and their database. */
const writtenBy: readonly [string, string, readonly string[]][] = [
  ["@strapi/strapi", "Strapi", ["public/uploads", ".tmp"]],
  ["directus", "Directus", ["uploads"]],
  ["payload", "Payload", ["media"]],
  ["getkirby/cms", "Kirby", ["site/accounts"]],
  ["node-red", "Node-RED", ["data"]],
];

function ofPackages({ contents }: RepositoryFiles): Found[] {
  const own = objectIn(contents["package.json"]);
  const composer = objectIn(contents["composer.json"]);
  const names = [own.dependencies, composer.require].flatMap((each) => Object.keys(objectOf(each)));
  return writtenBy
    .filter(([name]) => names.includes(name))
    .flatMap(([, label, paths]) => paths.map((path) => ({ path, reason: `${label} writes to ${path}.` })));
}

/** The SQLite databases of Laravel and Prisma. */
function configuredDatabases({ contents }: RepositoryFiles): Found[] {
  const schema = contents["prisma/schema.prisma"] ?? "";
  const example = contents[".env.example"] ?? "";
  const isSqlite = /provider\s*=\s*"sqlite"/.test(schema);
  const [, prisma] = isSqlite ? (/"file:\.?\/?([\w./-]+)"/.exec(`${schema}\n${example}`) ?? []) : [];
  return [
    ...(contents["composer.json"]?.includes('"laravel/framework"') && /^DB_CONNECTION=sqlite\s*$/m.test(example)
      ? [{ path: "database/database.sqlite", reason: ".env.example chooses SQLite, which Laravel keeps in database." }]
      : []),
    ...(prisma ? [{ path: posix.join("prisma", prisma), reason: "prisma/schema.prisma chooses SQLite." }] : []),
  ];
}
