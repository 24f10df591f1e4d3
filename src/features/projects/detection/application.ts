import { posix } from "node:path";
import { objectOf, textOf } from "../../../lib/foreign.ts";
import type { RepositoryFiles } from "./files.ts";
import { type Started, startedBy } from "./start-script.ts";
import { generatorNotes, isElsewhere } from "./unsupported.ts";

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

export interface Application {
  frameworkId: number;
  reason: string;
  outputDirectory?: string;
  buildCommand?: string;
  startCommand?: string;
  /** Why this start command; default: the same reason. */
  startReason?: string;
  /** What is left to the user. */
  notes?: readonly string[];
}

/** Something that is recognized, and cannot be deployed as it is: why, and what to do. */
export interface Refusal {
  frameworkId?: undefined;
  notes: readonly string[];
}

/** One kind of application: how it is recognized, and its settings. The first match wins. */
interface Kind {
  fits: (found: Found) => boolean;
  is: (found: Found) => Application | Refusal;
}

const npmPackage = (name: string) => (found: Found) => found.depends(name);

const isServer = ({ started }: Found): boolean => started.kind === "server";

// A static site by the package that builds it, and that package's output directory.
const builder = (name: string, label: string, outputDirectory: string): Kind => ({
  fits: npmPackage(name),
  is: () => ({ frameworkId: 9, reason: `package.json has ${name}: ${label} builds a site of files.`, outputDirectory }),
});

const server = (name: string, label: string): Kind => ({
  fits: npmPackage(name),
  is: (found) => ({
    frameworkId: 8,
    reason: `package.json has ${name}: ${label} is a server.`,
    ...withoutWatching(found),
  }),
});

/** The start command, where the script also starts, or only starts, what is for development. */
function withoutWatching({ started, script }: Found): Pick<Application, "startCommand" | "startReason" | "notes"> {
  if (started.kind === "nothing" || started.program === undefined) return {};
  const own = productionScripts.find((name) => script(name) !== "");
  const startCommand = own === undefined && started.kind === "server" ? started.command : own && `npm run ${own}`;
  const development = `The start script runs ${started.program}, which is for development.`;
  if (startCommand !== undefined) return { startCommand, startReason: development };
  // Deployments replace these (deployments/steps/start.ts).
  if (/^(?:ng|nest) /.test(started.program)) return {};
  return {
    notes: [`${development} Name the command of the server alone as the start command.`],
  };
}

const productionScripts = ["start:prod", "start:production", "start-prod", "production", "prod", "serve:prod"];

const setting = (name: string, value: string): RegExp => new RegExp(`\\b${name}\\s*:\\s*["'\`]?${value}\\b`);

/** The value of a setting that is a word in quotes. */
const valueIn = (text: string, name: string): string | undefined =>
  new RegExp(`\\b${name}\\s*:\\s*["'\`]([\\w./@-]{1,100})["'\`]`).exec(text)?.[1];

/** The same for a directory below the application's. */
const directoryIn = (text: string, name: string): string | undefined =>
  valueIn(text, name)?.replace(/^\.\/|\/$/g, "") || undefined;

// Nitro ------------------------------------------------------------------------------------------------------------------------------

// Names of hosts and runtimes for which Nitro builds; other settings are called preset, too.
const presets =
  /^(?:static|github[-_]pages|gitlab[-_]pages|node(?:[-_](?:server|cluster|listener|middleware))?|(?:aws|azure|bun|cleavr|cloudflare|deno|digital|edgio|firebase|flight|genezio|heroku|iis|koyeb|netlify|platform|render|stormkit|vercel|winterjs|zeabur|zerops)(?:[-_].*)?)$/;

function presetOf(found: Found): string | undefined {
  const named = ["nitro.config", "app.config", "nuxt.config", "vite.config"].map((name) =>
    [...found.text(name).matchAll(/\bpreset\s*:\s*["'`]([\w-]+)["'`]/g)].map(([, value = ""]) => value),
  );
  const [, inScript = ""] = /\b(?:NITRO|SERVER)_PRESET=([\w-]+)|--preset[= ]([\w-]+)/.exec(found.script("build")) ?? [];
  return [inScript, ...named.flat()].find((each) => presets.test(each));
}

const isStatic = (preset: string | undefined): boolean => /^(?:static|.*[-_](?:pages|static))$/.test(preset ?? "");
const isForNode = (preset: string | undefined): boolean =>
  preset === undefined || /^node(?:[-_](?:server|cluster))?$/.test(preset);

const nitroServer = "node .output/server/index.mjs";

/** An application that Nitro builds. */
const nitro = (name: string, label: string): Kind => ({
  fits: npmPackage(name),
  is: (found) => {
    const preset = presetOf(found);
    if (isStatic(preset)) {
      return {
        frameworkId: 9,
        reason: `${label} with the preset ${preset} makes a site of files.`,
        outputDirectory: ".output/public",
      };
    }
    const start = found.script("start");
    return {
      frameworkId: 8,
      reason: `package.json has ${name}: ${label} is a server.`,
      ...(start !== "" &&
        !start.includes(".output/server") && {
          startCommand: nitroServer,
          startReason: "Nitro builds this server.",
        }),
      notes: otherPreset(preset),
    };
  },
});

const otherPreset = (preset: string | undefined): string[] =>
  isForNode(preset)
    ? []
    : [
        `The build is for another host (preset ${preset}). Set the preset node-server for a server, and static for a site of files.`,
      ];

// Adapters ---------------------------------------------------------------------------------------------------------------------------

/** The adapter that SvelteKit's settings import, else the one that is installed. */
function svelteAdapter(found: Found): string {
  const [, named] = /from\s+["']@sveltejs\/adapter-([\w-]+)["']/.exec(found.text("svelte.config")) ?? [];
  const all = ["node", "static", "auto", "vercel", "netlify", "cloudflare", "cloudflare-workers"];
  return named ?? all.find((each) => found.depends(`@sveltejs/adapter-${each}`)) ?? "";
}

const svelteKit: Kind = {
  fits: npmPackage("@sveltejs/kit"),
  is: (found) => {
    const adapter = svelteAdapter(found);
    if (adapter === "static") {
      const outputDirectory = directoryIn(found.text("svelte.config"), "pages") ?? "build";
      return {
        frameworkId: 9,
        reason: "package.json has SvelteKit's adapter-static, which makes files.",
        outputDirectory,
      };
    }
    if (adapter === "node") return { frameworkId: 7, reason: "package.json has SvelteKit and its adapter-node." };
    const its = adapter === "" ? "no adapter" : `adapter-${adapter}, which makes neither of the two that can be served`;
    return {
      frameworkId: 7,
      reason: "package.json has SvelteKit.",
      notes: [
        `SvelteKit has ${its}: install @sveltejs/adapter-node for a server, and @sveltejs/adapter-static for a site of files.`,
      ],
    };
  },
};

const otherAstroAdapters = ["@astrojs/vercel", "@astrojs/netlify", "@astrojs/cloudflare", "@deno/astro-adapter"];

const astro: Kind = {
  fits: npmPackage("astro"),
  is: (found) => {
    const config = found.text("astro.config");
    if (found.depends("@astrojs/node")) {
      const reason = "package.json has Astro and its adapter @astrojs/node.";
      return setting("mode", "middleware").test(config)
        ? {
            frameworkId: 7,
            reason,
            notes: [
              "The adapter @astrojs/node has the mode middleware, which starts nothing: set the mode standalone.",
            ],
          }
        : { frameworkId: 7, reason };
    }
    const other = otherAstroAdapters.find((name) => found.depends(name));
    if (setting("output", "(?:server|hybrid)").test(config)) {
      const note = `Astro's output is a server, and ${other ? `its adapter ${other} builds it for another host` : "it has no adapter"}: install @astrojs/node.`;
      return { frameworkId: 7, reason: "astro.config chooses a server as output.", notes: [note] };
    }
    const reason = other
      ? `package.json has Astro, whose pages are files; ${other} is for another host.`
      : "package.json has Astro without an adapter for a server: it makes files.";
    return { frameworkId: 9, reason, outputDirectory: directoryIn(config, "outDir") ?? "dist" };
  },
};

const qwik = (name: string): Kind => ({
  fits: npmPackage(name),
  is: (found) => {
    const adapter = ["express", "fastify", "node-server"].find((each) => found.any(new RegExp(`^adapters/${each}/`)));
    if (adapter !== undefined) {
      const startCommand = found.script("serve") === "" ? `node server/entry.${adapter}` : "npm run serve";
      return {
        frameworkId: 8,
        reason: `The Qwik application has the adapter ${adapter}, which makes a server.`,
        startCommand,
      };
    }
    if (found.any(/^adapters\/(?:static|ssg)\//)) {
      return {
        frameworkId: 9,
        reason: "The Qwik application has the adapter static, which makes files.",
        outputDirectory: "dist",
      };
    }
    return {
      notes: [
        "This Qwik application has no adapter for a server of Node.js: add one with npm run qwik add express, and for a site of files npm run qwik add static.",
      ],
    };
  },
});

// Files ------------------------------------------------------------------------------------------------------------------------------

// Where a page is the site itself, or the result of a build that is in the repository.
const siteDirectories = [
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
const resultDirectories = ["dist", "build", "out", "_site", "public"];

const pageIn = ({ has }: Found, directories: readonly string[]): string | undefined =>
  directories.find((each) => has(posix.join(each, "index.html")));

/** The directory that the build writes to, as far as its command or the repository shows it. */
function resultOf(found: Found): string | undefined {
  // These change what the page uses, which stays where it is.
  if (found.has("index.html") && besidePage.test(found.script("build"))) return ".";
  const [, named] = /--(?:out-?dir|dist-dir|outDir|output-path)[= ]["']?([\w./-]+)/i.exec(found.script("build")) ?? [];
  if (named !== undefined) return named.replace(/^\.\/|\/$/g, "") || ".";
  const served = found.started.kind === "files" ? found.started.directory : undefined;
  return served ?? pageIn(found, ["dist", "build", "out", "_site"]);
}

const besidePage = /^(?:npx )?(?:sass|node-sass|tailwindcss|postcss|tsc|esbuild|lessc|uglifyjs|terser)\b/;

const forDevelopment = ({ started }: Found): string =>
  started.kind === "development"
    ? `The start script runs ${started.program}, which is for development`
    : started.kind === "files"
      ? `The start script runs ${started.program}, which only serves files`
      : "Nothing is started";

/** Whether the build makes a site: something is for browsers, and nothing is started as a server. */
const buildsSite = (found: Found): boolean =>
  found.script("build") !== "" &&
  ((found.started.kind === "development" && !compiles.test(found.started.program)) ||
    found.started.kind === "files" ||
    found.any(/^(?:(?:src|app|client|public|web|www|static|dist|build|_site)\/)?index\.(?:html|pug|ejs|njk|hbs)$/));

// Programs that also watch what is not for browsers.
const compiles = /^(?:tsc|tsup|tsdown|swc|babel|rollup|esbuild|unbuild|microbundle|tsdx|sass|postcss|tailwindcss)\b/;

const buildsLibrary = (viteConfig: string): boolean => /\blib\s*:\s*[{[]/.test(viteConfig);

const isViteSite = (found: Found): boolean =>
  found.depends("vite") &&
  !isServer(found) &&
  !buildsLibrary(found.text("vite.config")) &&
  (found.any(/^(?:(?!docs?\/|tests?\/|examples?\/|playground\/|dist\/|build\/)[\w.-]+\/)?index\.html$/) ||
    (!found.isLibrary &&
      !found.hasMain &&
      (found.any(/^vite\.config\.\w+$/) || /\bvite\b/.test(found.script("build") || found.script("start")))));

/** Why a package that is not for servers cannot be deployed. */
const refusal = (name: string, note: string): Kind => ({ fits: npmPackage(name), is: () => ({ notes: [note] }) });

const kinds: readonly Kind[] = [
  {
    fits: (found) => found.has("artisan") || found.depends("laravel/framework"),
    is: (found) => ({
      frameworkId: 1,
      reason: found.depends("laravel/framework")
        ? "composer.json requires laravel/framework."
        : "There is an artisan file.",
    }),
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
    is: (found) => ({
      frameworkId: 9,
      reason: 'Next.js with output: "export" makes a site of files.',
      outputDirectory: directoryIn(found.text("next.config"), "distDir") ?? "out",
    }),
  },
  {
    fits: npmPackage("next"),
    is: () => ({ frameworkId: 5, reason: "package.json has next." }),
  },
  {
    fits: (found) =>
      found.depends("nuxt") && (/\bnux(i|t) generate\b/.test(found.script("build")) || isStatic(presetOf(found))),
    is: (found) => ({
      frameworkId: 9,
      reason: isStatic(presetOf(found))
        ? `Nuxt with the preset ${presetOf(found)} generates files.`
        : "The build script of this Nuxt application generates files.",
      outputDirectory: ".output/public",
    }),
  },
  {
    fits: npmPackage("nuxt"),
    is: (found) => ({ frameworkId: 6, reason: "package.json has nuxt.", notes: otherPreset(presetOf(found)) }),
  },
  svelteKit,
  astro,
  nitro("@solidjs/start", "SolidStart"),
  qwik("@builder.io/qwik-city"),
  qwik("@qwik.dev/router"),
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
  {
    fits: (found) => found.depends("@remix-run/dev") && setting("ssr", "false").test(found.text("vite.config")),
    is: () => ({ frameworkId: 9, reason: "Remix with ssr: false makes files.", outputDirectory: "build/client" }),
  },
  server("@remix-run/react", "Remix"),
  nitro("@tanstack/react-start", "TanStack Start"),
  nitro("@tanstack/solid-start", "TanStack Start"),
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
    fits: (found) =>
      phpPage(found) !== undefined || (found.depends("php") && found.phpScript !== "" && !found.isLibrary),
    is: (found) => {
      const page = phpPage(found);
      return {
        frameworkId: 4,
        reason: page === undefined ? "composer.json requires php." : `There is the page ${page}.`,
      };
    },
  },
  ...["express", "fastify", "koa", "hono", "@hono/node-server", "@hapi/hapi", "restify", "polka", "node-red"].map(
    (name): Kind => ({
      fits: (found) =>
        found.depends(name) && (isServer(found) || (found.started.kind === "nothing" && found.has("server.js"))),
      is: (found) => ({
        frameworkId: 8,
        reason: `package.json has ${name} and something to start: it is a server.`,
        ...withoutWatching(found),
      }),
    }),
  ),
  nitro("nitropack", "Nitro"),
  nitro("nitro", "Nitro"),
  ...["hugo-bin", "hugo-extended"].map(
    (name): Kind => ({
      fits: npmPackage(name),
      is: (found) => ({
        frameworkId: 9,
        reason: `package.json has ${name}: Hugo builds a site of files.`,
        outputDirectory: "public",
        ...(found.script("build") === "" && { buildCommand: "npx hugo --minify" }),
      }),
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
  // What is beside an application in another language is a part of it.
  { fits: ({ elsewhere }) => elsewhere, is: () => ({ notes: [] }) },
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
    fits: isViteSite,
    is: (found) => ({
      frameworkId: 9,
      reason:
        found.started.kind === "nothing"
          ? "package.json has vite and no server to start: it builds a site of files."
          : `package.json has vite, which builds a site of files. ${forDevelopment(found)}.`,
      outputDirectory: directoryIn(found.text("vite.config"), "outDir") ?? resultOf(found) ?? "dist",
      ...(found.script("build") === "" && { buildCommand: "npx vite build" }),
    }),
  },
  refusal("electron", "This is a desktop application (electron), which no server runs."),
  refusal(
    "expo",
    "This is an application for phones (expo). Its web version can be a site of files: add the build script expo export --platform web, and choose a static site with a build (dist).",
  ),
  refusal("react-native", "This is an application for phones (react-native), which no server runs."),
  {
    fits: (found) =>
      isServer(found) || (found.started.kind === "nothing" && found.has("package.json") && found.has("server.js")),
    is: (found) => ({
      frameworkId: 8,
      reason: isServer(found) ? startReason(found) : "There is a server.js to start.",
      ...withoutWatching(found),
    }),
  },
  {
    fits: (found) => !found.isLibrary && buildsSite(found),
    is: (found) => {
      const outputDirectory = resultOf(found);
      return {
        frameworkId: 9,
        reason: `package.json has a build script. ${forDevelopment(found)}.`,
        ...(outputDirectory !== undefined && { outputDirectory }),
      };
    },
  },
  {
    fits: (found) => found.phpScript !== "" && (found.has("index.html") || found.has("public/index.html")),
    is: (found) => ({
      frameworkId: 4,
      reason: `There is ${found.has("index.html") ? "an index.html" : "a public/index.html"}, with PHP beside it (${found.phpScript}), which a site of files would not run.`,
    }),
  },
  {
    fits: (found) => found.phpScript !== "" && !found.phpScript.includes("/") && !found.isLibrary,
    is: ({ phpScript }) => ({
      notes: [
        `There is PHP (${phpScript}), and no index.php, which visitors get as the start page and for addresses that are no files. Add an index.php that includes it, and choose PHP.`,
      ],
    }),
  },
  {
    fits: (found) => pageIn(found, siteDirectories) !== undefined && !found.isLibrary,
    is: (found) => {
      const outputDirectory = pageIn(found, siteDirectories) ?? "";
      const page = outputDirectory === "" ? "an index.html" : `a ${outputDirectory}/index.html`;
      const reason =
        found.started.kind === "nothing"
          ? `There is ${page}, and nothing that would be built or started.`
          : `There is ${page}. ${forDevelopment(found)}, and no script builds anything.`;
      return { frameworkId: 10, reason, ...(outputDirectory !== "" && { outputDirectory }) };
    },
  },
  {
    fits: (found) => found.isLibrary && !isServer(found),
    is: () => ({
      notes: [
        "This is a library, for other packages: it has nothing that is started, and builds no site. Name the directory of an application that uses it.",
      ],
    }),
  },
  {
    fits: ({ started }) => started.kind === "development" || started.kind === "files",
    is: (found) => ({
      notes: [
        `${forDevelopment(found)}. Add a start script that starts the built application, or, for a site of files, a script named build that writes it.`,
      ],
    }),
  },
];

const startReason = ({ started }: Found): string =>
  started.kind === "server" && started.program !== undefined
    ? `package.json has a start script, which runs ${started.program}.`
    : "package.json has a start script.";

const phpPage = ({ has }: Found): string | undefined =>
  ["index.php", "public/index.php", "public_html/index.php", "web/index.php", "htdocs/index.php"].find(has);

/** The application in a directory; undefined if none is recognized. */
export function applicationOf(files: RepositoryFiles): Application | Refusal | undefined {
  const found = foundIn(files);
  const application = kinds.find(({ fits }) => fits(found))?.is(found);
  if (application?.frameworkId === undefined || application.frameworkId !== 10) return application;
  const notes = generatorNotes(files);
  if (notes.length === 0 || resultDirectories.includes(application.outputDirectory ?? "")) return application;
  // A page that a generator would make is none; what it has made is.
  return files.paths.includes("_site/index.html")
    ? {
        frameworkId: 10,
        reason: "There is a _site/index.html, which a site generator has made.",
        outputDirectory: "_site",
      }
    : { notes };
}

function foundIn(files: RepositoryFiles): Found {
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

const packagesOf = (...lists: unknown[]): Set<string> => new Set(lists.flatMap((each) => Object.keys(objectOf(each))));

/** The web process of a Procfile, if Node.js runs it. */
const webProcess = (text = ""): string | undefined =>
  /^web:\s*((?:node|npm|npx|yarn|pnpm|bun)\s.+)$/m.exec(text)?.[1]?.trim();

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
