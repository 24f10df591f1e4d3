import { astro, isStatic, nitro, otherPreset, presetOf, qwik, svelteKit } from "./adapters.ts";
import type { Found } from "./found.ts";
import {
  builder,
  directoryIn,
  isServer,
  type Kind,
  npmPackage,
  refusal,
  server,
  setting,
  withoutWatching,
} from "./kind.ts";
import { buildsSite, forDevelopment, isViteSite, pageIn, resultOf, siteDirectories } from "./pages.ts";

/** All that is recognized, in the order in which it is looked for. */
export const kinds: readonly Kind[] = [
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
