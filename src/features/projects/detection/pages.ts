import { posix } from "node:path";
import { buildsLibrary, type Found } from "./found.ts";
import { isServer } from "./kind.ts";

// Where the pages of a site are, and whether a build makes them.

// Where a page is the site itself, or the result of a build that is in the repository.
export const siteDirectories = [
  "",
  "public",
  "dist",
  "build",
  "out",
  "_site",
  "www",
  "web",
  "htdocs",
  "public_html",
  "site",
  "docs",
];
export const resultDirectories = ["dist", "build", "out", "_site", "public"];

export const pageIn = ({ has }: Found, directories: readonly string[]): string | undefined =>
  directories.find((each) => has(posix.join(each, "index.html")));

/** The directory that the build writes to, as far as its command or the repository shows it. */
export function resultOf(found: Found): string | undefined {
  // These change what the page uses, which stays where it is.
  if (found.has("index.html") && besidePage.test(found.script("build"))) return ".";
  const [, named] = /--(?:out-?dir|dist-dir|outDir|output-path)[= ]["']?([\w./-]+)/i.exec(found.script("build")) ?? [];
  if (named !== undefined) return named.replace(/^\.\/|\/$/g, "") || ".";
  const served = found.started.kind === "files" ? found.started.directory : undefined;
  return served ?? pageIn(found, ["dist", "build", "out", "_site"]);
}

const besidePage = /^(?:npx )?(?:sass|node-sass|tailwindcss|postcss|tsc|esbuild|lessc|uglifyjs|terser)\b/;

export const forDevelopment = ({ started }: Found): string =>
  started.kind === "development"
    ? `The start script runs ${started.program}, which is for development`
    : started.kind === "files"
      ? `The start script runs ${started.program}, which only serves files`
      : "Nothing is started";

/** Whether the build makes a site: something is for browsers, and nothing is started as a server. */
export const buildsSite = (found: Found): boolean =>
  found.script("build") !== "" &&
  ((found.started.kind === "development" && !compiles.test(found.started.program)) ||
    found.started.kind === "files" ||
    found.any(/^(?:(?:src|app|client|public|web|www|static|dist|build|_site)\/)?index\.(?:html|pug|ejs|njk|hbs)$/));

// Programs that also watch what is not for browsers.
const compiles = /^(?:tsc|tsup|tsdown|swc|babel|rollup|esbuild|unbuild|microbundle|tsdx|sass|postcss|tailwindcss)\b/;

export const isViteSite = (found: Found): boolean =>
  found.depends("vite") &&
  !isServer(found) &&
  !buildsLibrary(found.text("vite.config")) &&
  (found.any(/^(?:(?!docs?\/|tests?\/|examples?\/|playground\/|dist\/|build\/)[\w.-]+\/)?index\.html$/) ||
    (!found.isLibrary &&
      !found.hasMain &&
      (found.any(/^vite\.config\.\w+$/) || /\bvite\b/.test(found.script("build") || found.script("start")))));
