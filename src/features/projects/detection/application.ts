import { objectOf, textOf } from "../../../lib/foreign.ts";
import type { RepositoryFiles } from "./files.ts";

/** The contents of a repository, or of one of its directories, that determine the framework. */
export interface Found {
  has(path: string): boolean;
  /** The content of the first file of the name, which may lack its extension (`vite.config`). */
  text(name: string): string;
  /** Packages of package.json and composer.json. */
  depends(name: string): boolean;
  script(name: string): string;
  /** The project in angular.json. */
  angularProject: string;
  /** A script in PHP that is the application's own; empty: there is none. */
  phpScript: string;
}

export interface Application {
  frameworkId: number;
  reason: string;
  outputDirectory?: string;
  buildCommand?: string;
  startCommand?: string;
}

/** One kind of application: how it is recognized, and its settings. The first match wins. */
interface Kind {
  fits: (found: Found) => boolean;
  is: (found: Found) => Application;
}

const npmPackage = (name: string) => (found: Found) => found.depends(name);

// A static site by the package that builds it, and that package's output directory.
const builder = (name: string, label: string, outputDirectory: string): Kind => ({
  fits: npmPackage(name),
  is: () => ({ frameworkId: 9, reason: `package.json has ${name}: ${label} builds a site of files.`, outputDirectory }),
});

const server = (name: string, label: string): Kind => ({
  fits: npmPackage(name),
  is: () => ({ frameworkId: 8, reason: `package.json has ${name}: ${label} is a server.` }),
});

const setting = (name: string, value: string): RegExp => new RegExp(`\\b${name}\\s*:\\s*["'\`]?${value}\\b`);

const kinds: readonly Kind[] = [
  {
    fits: (found) => found.has("artisan") || found.depends("laravel/framework"),
    is: () => ({ frameworkId: 1, reason: "There is an artisan file, or composer.json requires laravel/framework." }),
  },
  {
    fits: npmPackage("symfony/framework-bundle"),
    is: () => ({ frameworkId: 2, reason: "composer.json requires symfony/framework-bundle." }),
  },
  {
    fits: (found) => found.has("wp-load.php") || found.has("wp-config-sample.php"),
    is: () => ({ frameworkId: 3, reason: "The files of WordPress are in the repository." }),
  },
  {
    fits: (found) => found.depends("next") && setting("output", "export").test(found.text("next.config")),
    is: () => ({
      frameworkId: 9,
      reason: 'Next.js with output: "export" makes a site of files.',
      outputDirectory: "out",
    }),
  },
  {
    fits: npmPackage("next"),
    is: () => ({ frameworkId: 5, reason: "package.json has next." }),
  },
  {
    fits: (found) => found.depends("nuxt") && /\bnux(i|t) generate\b/.test(found.script("build")),
    is: () => ({
      frameworkId: 9,
      reason: "The build script of this Nuxt application generates files.",
      outputDirectory: ".output/public",
    }),
  },
  { fits: npmPackage("nuxt"), is: () => ({ frameworkId: 6, reason: "package.json has nuxt." }) },
  {
    fits: (found) =>
      found.depends("@sveltejs/kit") &&
      found.depends("@sveltejs/adapter-static") &&
      !found.depends("@sveltejs/adapter-node"),
    is: () => ({
      frameworkId: 9,
      reason: "package.json has SvelteKit's adapter-static, which makes files.",
      outputDirectory: "build",
    }),
  },
  {
    fits: npmPackage("@sveltejs/kit"),
    is: (found) => ({
      frameworkId: 7,
      reason: found.depends("@sveltejs/adapter-node")
        ? "package.json has SvelteKit and its adapter-node."
        : "package.json has SvelteKit. A server needs @sveltejs/adapter-node, or adapter-static for files; neither is there yet.",
    }),
  },
  {
    fits: (found) => found.depends("astro") && found.depends("@astrojs/node"),
    is: () => ({ frameworkId: 7, reason: "package.json has Astro and its adapter @astrojs/node." }),
  },
  {
    fits: npmPackage("astro"),
    is: () => ({
      frameworkId: 9,
      reason: "package.json has Astro without an adapter for a server: it makes files.",
      outputDirectory: "dist",
    }),
  },
  {
    fits: (found) =>
      found.depends("@react-router/dev") && setting("ssr", "false").test(found.text("react-router.config")),
    is: () => ({
      frameworkId: 9,
      reason: "React Router with ssr: false makes files.",
      outputDirectory: "build/client",
    }),
  },
  server("@react-router/dev", "React Router with its framework mode"),
  server("@remix-run/react", "Remix"),
  server("@tanstack/react-start", "TanStack Start"),
  server("@tanstack/solid-start", "TanStack Start"),
  server("@angular/ssr", "Angular with server-side rendering"),
  {
    fits: npmPackage("@angular/core"),
    is: ({ angularProject }) => ({
      frameworkId: 9,
      reason: "package.json has Angular without server-side rendering: it makes files.",
      ...(angularProject && { outputDirectory: `dist/${angularProject}/browser` }),
    }),
  },
  server("@nestjs/core", "NestJS"),
  server("@adonisjs/core", "AdonisJS"),
  {
    fits: (found) => found.has("index.php") || found.has("public/index.php") || found.depends("php"),
    is: () => ({ frameworkId: 4, reason: "There is an index.php, or composer.json requires php." }),
  },
  ...["express", "fastify", "koa", "@hono/node-server", "@hapi/hapi", "node-red"].map(
    (name): Kind => ({
      fits: (found) => found.depends(name) && (found.script("start") !== "" || found.has("server.js")),
      is: () => ({ frameworkId: 8, reason: `package.json has ${name} and something to start: it is a server.` }),
    }),
  ),
  builder("@docusaurus/core", "Docusaurus", "build"),
  {
    fits: npmPackage("vitepress"),
    is: (found) => {
      const name = found.script("build") === "" ? "docs:build" : "build";
      const [, root = ""] = /\bvitepress build\s+([\w./-]+)/.exec(found.script(name)) ?? [];
      const directory = root.replace(/^\.\/?|\/$/g, "");
      return {
        frameworkId: 9,
        reason: "package.json has vitepress, which builds a site of files.",
        outputDirectory: `${directory && `${directory}/`}.vitepress/dist`,
        ...(name !== "build" && found.script(name) !== "" && { buildCommand: `npm run ${name}` }),
      };
    },
  },
  builder("@11ty/eleventy", "Eleventy", "_site"),
  builder("hexo", "Hexo", "public"),
  builder("gatsby", "Gatsby", "public"),
  builder("@vue/cli-service", "Vue's command", "dist"),
  builder("react-scripts", "Create React App", "build"),
  {
    fits: (found) => found.script("build-storybook") !== "" && found.script("build") === "",
    is: () => ({
      frameworkId: 9,
      reason: "package.json has a script that builds a Storybook, and none that builds anything else.",
      outputDirectory: "storybook-static",
      buildCommand: "npm run build-storybook",
    }),
  },
  {
    fits: (found) => found.depends("vite") && /\bvite( |$)/.test(found.script("start") || "vite"),
    is: (found) => {
      const [, outputDirectory = "dist"] =
        /\boutDir\s*:\s*["']\.?\/?([\w.-]+(?:\/[\w.-]+)*)\/?["']/.exec(found.text("vite.config")) ?? [];
      return {
        frameworkId: 9,
        reason: "package.json has vite and no server to start: it builds a site of files.",
        outputDirectory,
      };
    },
  },
  {
    fits: (found) => found.script("start") !== "" || (found.has("package.json") && found.has("server.js")),
    is: (found) => ({
      frameworkId: 8,
      reason: found.script("start") ? "package.json has a start script." : "There is a server.js to start.",
    }),
  },
  {
    fits: (found) => found.phpScript !== "" && (found.has("index.html") || found.has("public/index.html")),
    is: ({ phpScript }) => ({
      frameworkId: 4,
      reason: `There is an index.html, with PHP beside it (${phpScript}), which a site of files would not run.`,
    }),
  },
  {
    fits: (found) => found.has("index.html"),
    is: () => ({ frameworkId: 10, reason: "There is an index.html, and nothing that would be built or started." }),
  },
  {
    fits: (found) => found.has("public/index.html"),
    is: () => ({
      frameworkId: 10,
      reason: "There is a public/index.html, and nothing that would be built or started.",
      outputDirectory: "public",
    }),
  },
];

/** The application in a directory; undefined if none is recognized. */
export function applicationOf({ paths, contents }: RepositoryFiles): Application | undefined {
  const there = new Set(paths);
  const own = objectIn(contents["package.json"]);
  const composer = objectIn(contents["composer.json"]);
  const packages = new Set(
    [own.dependencies, own.devDependencies, composer.require].flatMap((each) => Object.keys(objectOf(each))),
  );
  const [angularProject = ""] = Object.keys(objectOf(objectIn(contents["angular.json"]).projects));
  const found: Found = {
    has: (path) => there.has(path),
    text: (name) => contents[Object.keys(contents).find((path) => path.startsWith(`${name}.`)) ?? ""] ?? "",
    depends: (name) => packages.has(name),
    script: (name) => textOf(objectOf(own.scripts)[name]).trim(),
    angularProject,
    phpScript: phpScriptIn(paths),
  };
  return kinds.find(({ fits }) => fits(found))?.is(found);
}

// What comes with packages, or is there for developers, is no part of what is served.
const notServed = /(?:^|\/)(?:vendor|node_modules|docs?|tests?|\.[^/]*)\//i;

/** The script that lies highest. */
const phpScriptIn = (paths: readonly string[]): string =>
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
