import type { RepositoryFiles } from "../detection/files.ts";

// Repositories as the templates of frameworks make them, and as people have them.

/** Files by path: a text, an object for JSON, or true where only the name counts. */
export type Files = Record<string, string | object | true>;

export function repository(files: Files): RepositoryFiles {
  const contents = Object.entries(files).filter((entry): entry is [string, string | object] => entry[1] !== true);
  return {
    paths: Object.keys(files),
    contents: Object.fromEntries(
      contents.map(([path, content]) => [path, typeof content === "string" ? content : JSON.stringify(content)]),
    ),
  };
}

export const packages = (dependencies: string[], scripts: Record<string, string> = {}) => ({
  "package.json": { scripts, dependencies: Object.fromEntries(dependencies.map((name) => [name, "1.0.0"])) },
});

const scripts = (scripts: Record<string, string>, devDependencies: string[] = [], dependencies: string[] = []) => ({
  "package.json": { scripts, devDependencies: versions(devDependencies), dependencies: versions(dependencies) },
});

const versions = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, "1.0.0"]));

// Files as the templates make them, with the framework and the directory to serve.
export const templates: [name: string, files: Files, framework: number | undefined, output?: string, start?: string][] =
  [
    ["Next.js", { ...packages(["next", "react"]), "next.config.ts": "export default {}" }, 5],
    [
      "Next.js, exported",
      { ...packages(["next"]), "next.config.mjs": "export default { output: 'export' }" },
      9,
      "out",
    ],
    ["Next.js, standalone", { ...packages(["next"]), "next.config.mjs": 'export default { output: "standalone" }' }, 5],
    ["Nuxt", packages(["nuxt", "vue"], { build: "nuxt build" }), 6],
    ["Nuxt, generated", packages(["nuxt"], { build: "nuxt generate" }), 9, ".output/public"],
    ["SvelteKit with adapter-node", packages(["@sveltejs/kit", "@sveltejs/adapter-node", "vite"]), 7],
    ["SvelteKit with adapter-static", packages(["@sveltejs/kit", "@sveltejs/adapter-static", "vite"]), 9, "build"],
    ["SvelteKit's template", packages(["@sveltejs/kit", "@sveltejs/adapter-auto", "vite"]), 7],
    ["Astro", { ...packages(["astro"], { build: "astro build" }), "astro.config.mjs": "" }, 9, "dist"],
    ["Astro on a server", packages(["astro", "@astrojs/node"]), 7],
    [
      "React Router",
      { ...packages(["@react-router/dev", "vite"]), "react-router.config.ts": "export default { ssr: true };" },
      8,
    ],
    [
      "React Router of one page",
      { ...packages(["@react-router/dev", "vite"]), "react-router.config.ts": "export default { ssr: false };" },
      9,
      "build/client",
    ],
    ["TanStack Start", packages(["@tanstack/react-start", "vite"], { build: "vite build" }), 8],
    ["Angular", { ...packages(["@angular/core"]), "angular.json": { projects: { shop: {} } } }, 9, "dist/shop/browser"],
    ["Angular with SSR", packages(["@angular/core", "@angular/ssr", "express"], { start: "ng serve" }), 8],
    ["NestJS", packages(["@nestjs/core"], { start: "nest start" }), 8],
    ["Express", packages(["express"], { start: "node index.js" }), 8],
    ["Express with Vite", packages(["express", "vite"], { start: "node server.js" }), 8],
    ["Fastify", { ...packages(["fastify"]), "server.js": true }, 8],
    ["Hono", packages(["hono", "@hono/node-server"], { start: "node dist/index.js" }), 8],
    ["Vite", { ...packages(["vite", "react"], { build: "vite build" }), "index.html": true }, 9, "dist"],
    ["Vite with another directory", { ...packages(["vite"]), "vite.config.js": "build: { outDir: 'www' }" }, 9, "www"],
    ["Vue's command", packages(["@vue/cli-service"]), 9, "dist"],
    ["Eleventy", packages(["@11ty/eleventy"], { start: "eleventy --serve" }), 9, "_site"],
    ["VitePress", packages(["vitepress"], { "docs:build": "vitepress build docs" }), 9, "docs/.vitepress/dist"],
    ["VitePress at the root", packages(["vitepress"], { build: "vitepress build" }), 9, ".vitepress/dist"],
    ["Docusaurus", packages(["@docusaurus/core"], { start: "docusaurus start" }), 9, "build"],
    ["Hexo", packages(["hexo"], { build: "hexo generate" }), 9, "public"],
    ["Storybook", packages(["storybook"], { "build-storybook": "storybook build" }), 9, "storybook-static"],
    [
      "Laravel",
      { artisan: true, "composer.json": { require: { "laravel/framework": "^12" } }, ...packages(["vite"]) },
      1,
    ],
    ["Symfony", { "composer.json": { require: { php: ">=8.2", "symfony/framework-bundle": "7.*" } } }, 2],
    ["WordPress", { "wp-load.php": true, "index.php": true }, 3],
    ["plain PHP", { "index.php": true, ...packages(["vite"]) }, 4],
    ["files", { "index.html": true, "style.css": true }, 10],
    ["files below public", { "public/index.html": true }, 10, "public"],
    ["a page with PHP beside it", { "index.html": true, "backend/ip.php": true, Dockerfile: true }, 4],
    ["a page below public with PHP beside it", { "public/index.html": true, "public/send.php": true }, 4],
    [
      "a page, and PHP that is not served",
      {
        "index.html": true,
        "docs/a.php": true,
        "tests/b/c.php": true,
        "vendor/d.php": true,
        "lib/node_modules/e.php": true,
      },
      10,
    ],
    ["a start script", packages([], { start: "node a.js" }), 8],

    // Development servers are no servers.
    [
      "a result in the repository beside browser-sync",
      {
        ...scripts({ build: "node make.js", start: "npm run build && node scripts/start.js" }, [
          "browser-sync",
          "sass",
        ]),
        "dist/index.html": true,
        "src/index.pug": true,
      },
      9,
      "dist",
    ],
    [
      "browser-sync in a file that is read",
      {
        ...scripts({ build: "gulp build", start: "node start.js" }, ["browser-sync"]),
        "scripts/start.js": "",
        "build/index.html": true,
      },
      8,
    ],
    ["live-server", { ...scripts({ start: "live-server --port=8080" }, ["live-server"]), "index.html": true }, 10],
    [
      "live-server of a directory",
      { ...scripts({ start: "live-server public" }), "public/index.html": true },
      10,
      "public",
    ],
    ["lite-server", { ...scripts({ start: "npm run dev", dev: "lite-server -c bs.json" }), "index.html": true }, 10],
    [
      "parcel",
      {
        ...scripts({ start: "parcel src/index.html", build: "parcel build src/index.html" }, ["parcel"]),
        "src/index.html": true,
      },
      9,
    ],
    [
      "parcel with a directory",
      {
        ...scripts({ start: "parcel watch src/index.html", build: "parcel build src/index.html --dist-dir www" }),
        "src/index.html": true,
      },
      9,
      "www",
    ],
    [
      "webpack",
      { ...scripts({ start: "webpack serve --mode development", build: "webpack" }), "src/index.js": true },
      9,
    ],
    [
      "webpack-dev-server",
      scripts({ start: "cross-env NODE_ENV=development webpack-dev-server --hot", build: "webpack" }),
      9,
    ],
    [
      "Create React App, ejected",
      scripts({ start: "node scripts/start.js", build: "node scripts/build.js" }, [], ["react", "webpack-dev-server"]),
      9,
    ],
    ["gulp", { ...scripts({ start: "gulp watch" }, ["gulp"]), "index.html": true }, 10],
    [
      "vite as the start script",
      { ...scripts({ start: "vite --host", build: "vite build" }, ["vite"]), "index.html": true },
      9,
      "dist",
    ],
    [
      "vite's preview",
      { ...scripts({ start: "npm run build && vite preview", build: "vite build" }, ["vite"]), "index.html": true },
      9,
      "dist",
    ],
    [
      "http-server on a result",
      { ...scripts({ start: "http-server dist -p 3000", build: "rollup -c" }), "src/a.js": true },
      9,
      "dist",
    ],
    [
      "serve on a result",
      { ...scripts({ start: "npx serve -s -l 3000 out", build: "node make.js" }), "src/a.js": true },
      9,
      "out",
    ],
    [
      "nodemon with a development server",
      { ...scripts({ start: 'nodemon --exec "webpack serve"', build: "webpack" }) },
      9,
    ],
    [
      "watchers side by side",
      { ...scripts({ start: "run-p watch:*", "watch:js": "rollup -cw" }), "index.html": true },
      10,
    ],
    [
      "concurrently with watchers alone",
      { ...scripts({ start: 'concurrently "npm:css" "live-server ."', css: "sass --watch a:b" }), "index.html": true },
      10,
    ],
    [
      "a page with a script that is built",
      { ...scripts({ build: "esbuild src/a.ts --bundle --outdir=js" }), "index.html": true },
      9,
      ".",
    ],
    ["a page with styles that are built", { ...scripts({ build: "sass scss:css" }), "index.html": true }, 9, "."],
    [
      "a start script that only builds",
      { ...scripts({ start: "npm run build", build: "webpack" }), "index.html": true },
      9,
    ],
    [
      "a start script that builds with Node",
      { ...scripts({ start: "yarn build", build: "node make.js" }), "dist/index.html": true },
      9,
      "dist",
    ],
    [
      "scripts that run each other",
      { ...scripts({ start: "npm run a", a: "concurrently npm:a npm:b", b: "run-p a b start" }), "index.html": true },
      10,
    ],
    ["a start script that only says something", scripts({ start: 'echo "Use docker" && exit 1' }), undefined],
    // Servers stay servers, without what watches them.
    ["Express with nodemon", packages(["express"], { start: "nodemon server.js" }), 8, undefined, "node server.js"],
    [
      "Express with nodemon and TypeScript",
      packages(["express"], { start: "nodemon --exec ts-node src/index.ts", "start:prod": "node dist/index.js" }),
      8,
      undefined,
      "npm run start:prod",
    ],
    [
      "Fastify with tsx",
      packages(["fastify"], { start: "tsx watch src/server.ts" }),
      8,
      undefined,
      "npx tsx src/server.ts",
    ],
    ["Node that watches", packages([], { start: "node --watch index.js" }), 8, undefined, "node index.js"],
    [
      "Express beside vite",
      packages(["express", "vite"], { start: 'concurrently "node server.js" "vite"' }),
      8,
      undefined,
      "node server.js",
    ],
    [
      "a server of its own in scripts",
      { ...scripts({ start: "node scripts/start.js" }), "scripts/start.js": "http" },
      8,
    ],
    [
      "a Procfile",
      { ...scripts({ start: "gulp" }), Procfile: "web: node server.js\n" },
      8,
      undefined,
      "node server.js",
    ],
    // Servers of newer kinds.
    [
      "SolidStart",
      {
        ...packages(["@solidjs/start", "vite"], { build: "vite build", start: "vite start" }),
        "vite.config.ts": "solidStart()",
      },
      8,
      undefined,
      "node .output/server/index.mjs",
    ],
    [
      "SolidStart with vinxi",
      {
        ...packages(["@solidjs/start", "vinxi"], { build: "vinxi build", start: "vinxi start" }),
        "app.config.ts": "{}",
      },
      8,
      undefined,
      "node .output/server/index.mjs",
    ],
    [
      "SolidStart, static",
      { ...packages(["@solidjs/start"], { start: "vinxi start" }), "app.config.ts": 'server: { preset: "static" }' },
      9,
      ".output/public",
    ],
    [
      "Qwik City on Express",
      {
        ...packages(["@builder.io/qwik-city", "vite"], {
          start: "vite --open --mode ssr",
          serve: "node server/entry.express",
        }),
        "adapters/express/vite.config.ts": true,
      },
      8,
      undefined,
      "npm run serve",
    ],
    ["Qwik City, static", { ...packages(["@qwik.dev/router"]), "adapters/static/vite.config.ts": true }, 9, "dist"],
    [
      "Qwik City without an adapter",
      packages(["@builder.io/qwik-city", "vite"], { start: "vite --open --mode ssr" }),
      undefined,
    ],
    ["Nitro", { ...packages(["nitropack"], { build: "nitropack build" }), "nitro.config.ts": "" }, 8],
    [
      "Nuxt for pages of a git host",
      { ...packages(["nuxt"], { build: "nuxt build" }), "nuxt.config.ts": "nitro: { preset: 'github_pages' }" },
      9,
      ".output/public",
    ],
    [
      "Nuxt with a module's preset",
      { ...packages(["nuxt"], { build: "nuxt build" }), "nuxt.config.ts": "unocss: { preset: 'mini' }" },
      6,
    ],
    [
      "TanStack Start with a start script of vite",
      packages(["@tanstack/react-start", "nitro"], { start: "vite preview" }),
      8,
      undefined,
      "node .output/server/index.mjs",
    ],
    ["Remix", packages(["@remix-run/react", "@remix-run/dev"], { start: "remix-serve ./build/server/index.js" }), 8],
    [
      "Remix of one page",
      { ...packages(["@remix-run/react", "@remix-run/dev"]), "vite.config.ts": "remix({ ssr: false })" },
      9,
      "build/client",
    ],
    ["Astro with another directory", { ...packages(["astro"]), "astro.config.mjs": "outDir: './www'" }, 9, "www"],
    [
      "Astro for another host",
      { ...packages(["astro", "@astrojs/vercel"]), "astro.config.mjs": "output: 'server'" },
      7,
    ],
    [
      "SvelteKit with both adapters, of which one is chosen",
      {
        ...packages(["@sveltejs/kit", "@sveltejs/adapter-node", "@sveltejs/adapter-static"]),
        "svelte.config.js": 'import adapter from "@sveltejs/adapter-static";',
      },
      9,
      "build",
    ],
    [
      "Hugo from npm",
      {
        "hugo.toml": "",
        "content/a.md": true,
        "layouts/a.html": true,
        ...scripts({ build: "hugo" }, ["hugo-extended"]),
      },
      9,
      "public",
    ],
    [
      "Jekyll with its result",
      { "_config.yml": true, "index.html": "---\n---\n", "_site/index.html": true },
      10,
      "_site",
    ],
    // What is not run.
    [
      "Jekyll",
      {
        "_config.yml": true,
        Gemfile: "gem 'jekyll'\n",
        "index.html": "---\nlayout: default\n---\n{{ content }}",
        "_layouts/default.html": true,
      },
      undefined,
    ],
    ["Hugo", { "hugo.yaml": true, "content/_index.md": true, "layouts/index.html": true }, undefined],
    ["another language", { "go.mod": true, "main.go": true }, undefined],
    [
      "Go with a frontend",
      { "go.mod": true, "main.go": true, "index.html": true, ...scripts({ build: "vite build" }, ["vite"]) },
      undefined,
    ],
    [
      "Django",
      { "manage.py": true, "requirements.txt": "Django>=5\n", ...scripts({ build: "tailwindcss -o a.css" }) },
      undefined,
    ],
    ["Flask", { "requirements.txt": "flask==3.0\n", "app.py": true }, undefined],
    [
      "FastAPI",
      { "pyproject.toml": '[project]\ndependencies = [\n  "fastapi[standard]",\n]\n', "main.py": true },
      undefined,
    ],
    [
      "Rails",
      {
        Gemfile: "gem 'rails'\n",
        "bin/rails": true,
        "config.ru": true,
        "public/index.html": true,
        ...scripts({ build: "esbuild a.js" }),
      },
      undefined,
    ],
    ["Deno", { "deno.json": "{}", "main.ts": true }, undefined],
    ["a Dockerfile alone", { Dockerfile: true }, undefined],
    ["Compose alone", { "docker-compose.yml": true, "README.md": true }, undefined],
    ["a desktop application", scripts({ start: "electron ." }, ["electron"]), undefined],
    [
      "a library",
      {
        ...scripts({ build: "vite build", start: "vite" }, ["vite"]),
        "vite.config.js": "build: { lib: { entry: 'a.js' } }",
      },
      undefined,
    ],
    ["PHP without a page", { "site.php": true, ".htaccess": "RewriteRule ^ site.php" }, undefined],
    ["nothing", { "README.md": true }, undefined],
  ];
