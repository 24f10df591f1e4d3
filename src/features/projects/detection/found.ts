import { posix } from "node:path";
import { objectOf, textOf } from "../../../lib/foreign.ts";
import type { RepositoryFiles } from "./files.ts";
import { webProcess } from "./procfile.ts";
import { type Started, startedBy } from "./start-script.ts";
import { isElsewhere } from "./unsupported.ts";

/** The contents of a repository, or of one of its directories, that determine the framework. */
export interface Found {
  has(path: string): boolean;
  /** Whether there is a path that matches. */
  any(pattern: RegExp): boolean;
  /** The content of the first file of the name, which may lack its extension (`vite.config`). */
  text(name: string): string;
  /** Packages of package.json and composer.json; of a library, those that it needs where it is used. */
  depends(name: string): boolean;
  script(name: string): string;
  /** What is started: the web process of a Procfile, else the start script. */
  started: Started;
  isLibrary: boolean;
  /** Whether other packages may use its code. */
  hasMain: boolean;
  /** The project in angular.json. */
  angularProject: string;
  /** A script in PHP that is the application's own; empty: there is none. */
  phpScript: string;
  /** What keeps it from being deployed as it is. */
  elsewhere: boolean;
}

export function foundIn(files: RepositoryFiles): Found {
  const { paths, contents } = files;
  const there = new Set(paths);
  const own = objectIn(contents["package.json"]);
  const composer = objectIn(contents["composer.json"]);
  const needed = packagesOf(own.dependencies, composer.require);
  const scripts = objectOf(own.scripts);
  const script = (name: string) => textOf(scripts[name]).trim();
  const text = (name: string) =>
    contents[name] ?? contents[Object.keys(contents).find((path) => path.startsWith(`${name}.`)) ?? ""] ?? "";
  const isLibrary =
    buildsLibrary(text("vite.config")) ||
    ((["exports", "module", "types", "typings"].some((each) => each in own) || composer.type === "library") &&
      !paths.some((path) => /^(?:\w+\/)?index\.(?:html|php)$/.test(path)));
  const packages = isLibrary ? needed : new Set([...needed, ...packagesOf(own.devDependencies)]);
  const isForDevelopment = (file: string) => developmentServer(file, { own, text });
  const [angularProject = ""] = Object.keys(objectOf(objectIn(contents["angular.json"]).projects));
  return {
    has: (path) => there.has(path),
    any: (pattern) => paths.some((path) => pattern.test(path)),
    text,
    depends: (name) => packages.has(name),
    script,
    started: startedBy(webProcess(contents.Procfile) ?? script("start"), {
      names: Object.keys(scripts),
      script,
      isForDevelopment,
    }),
    isLibrary,
    hasMain: "main" in own,
    angularProject,
    phpScript: phpScriptIn(paths),
    elsewhere: isElsewhere(files),
  };
}

export const buildsLibrary = (viteConfig: string): boolean => /\blib\s*:\s*[{[]/.test(viteConfig);

const packagesOf = (...lists: unknown[]): Set<string> => new Set(lists.flatMap((each) => Object.keys(objectOf(each))));

/** The command of a Procfile's web process, without what starts it again after changes; undefined if it starts no server of Node.js. */
export function webCommand(files: RepositoryFiles): string | undefined {
  const web = webProcess(files.contents.Procfile);
  const { started } = foundIn(files);
  return web !== undefined && started.kind === "server" ? (started.command ?? web) : undefined;
}

const developmentServers = [
  "browser-sync",
  "live-server",
  "lite-server",
  "webpack-dev-server",
  "@web/dev-server",
  "vite",
];
const servers = ["express", "fastify", "koa", "hono", "@hapi/hapi", "restify", "polka", "h3", "socket.io", "ws"];

/** Whether a file starts a server for development: it names one, or is among the tools of a project that serves nothing else. */
function developmentServer(
  file: string,
  { own, text }: { own: Record<string, unknown>; text: (name: string) => string },
): boolean {
  const path = posix.normalize(file);
  const content = text(path);
  const packages = packagesOf(own.dependencies, own.devDependencies);
  const there = developmentServers.filter((name) => packages.has(name));
  if (there.length === 0 || servers.some((name) => packagesOf(own.dependencies).has(name))) return false;
  if (content !== "") return there.some((name) => content.includes(`"${name}"`) || content.includes(`'${name}'`));
  return /^(?:scripts|tools|tasks|build|config|gulp|dev)\//.test(path);
}

// What comes with packages, or is there for developers, is no part of what is served.
const notServed = /(?:^|\/)(?:vendor|node_modules|docs?|tests?|\.[^/]*)\//i;

/** The application's own script in PHP that lies highest; empty: there is none. */
export const phpScriptIn = (paths: readonly string[]): string =>
  paths
    .filter((path) => path.endsWith(".php") && !notServed.test(path))
    .reduce((highest, path) => (highest === "" || depthOf(path) < depthOf(highest) ? path : highest), "");

const depthOf = (path: string): number => path.split("/").length;

/** The object in a JSON file; empty if the file has none. */
export function objectIn(text: string | undefined): Record<string, unknown> {
  if (text === undefined) return {};
  try {
    return objectOf(JSON.parse(text.replace(/^\uFEFF/, "")));
  } catch {
    return {};
  }
}
