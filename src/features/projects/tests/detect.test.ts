import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { detect } from "../detection/detect.ts";
import type { RepositoryFiles } from "../detection/files.ts";
import { projectErrors } from "../validation.ts";

/** Files by path: a text, an object for JSON, or true where only the name counts. */
function repository(files: Record<string, string | object | true>): RepositoryFiles {
  const contents = Object.entries(files).filter((entry): entry is [string, string | object] => entry[1] !== true);
  return {
    paths: Object.keys(files),
    contents: Object.fromEntries(
      contents.map(([path, content]) => [path, typeof content === "string" ? content : JSON.stringify(content)]),
    ),
  };
}

const packages = (dependencies: string[], scripts: Record<string, string> = {}) => ({
  "package.json": { scripts, dependencies: Object.fromEntries(dependencies.map((name) => [name, "1.0.0"])) },
});

// Files as the templates make them, with the framework and the directory to serve.
const templates: [string, Record<string, string | object | true>, number | undefined, string?][] = [
  ["Next.js", { ...packages(["next", "react"]), "next.config.ts": "export default {}" }, 5],
  ["Next.js, exported", { ...packages(["next"]), "next.config.mjs": "export default { output: 'export' }" }, 9, "out"],
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
  ["another language", { "go.mod": true, "main.go": true }, undefined],
];

describe("a repository is recognized", () => {
  for (const [name, files, framework, output] of templates) {
    test(name, () => {
      const found = detect(repository(files));
      assert.equal(found.framework?.id, framework);
      assert.equal(found.output_directory?.value, output);
      if (found.framework) assert.match(found.framework.reason, /\.$/);
      else assert.deepEqual(found.notes, ["Nothing was found that shows the framework: choose it yourself."]);
    });
  }

  test("with the command that builds it, where that is not the default", () => {
    const { build_command } = detect(repository(packages(["vitepress"], { "docs:build": "vitepress build docs" })));
    assert.equal(build_command?.value, "npm run docs:build");
  });
});

describe("workspaces", () => {
  const root = { "package.json": { workspaces: ["apps/*"], packageManager: "pnpm@9.1.0+sha512.aa" } };
  const app = (at: string, ...names: string[]) => ({ [`${at}/package.json`]: packages(names)["package.json"] });

  test("with one application propose its directory, by the lock file above it", () => {
    const found = detect(
      repository({ ...root, "pnpm-lock.yaml": true, ...app("apps/web", "next"), ...app("libs/ui") }),
    );
    assert.equal(found.directory?.value, "apps/web");
    assert.equal(found.framework?.id, 5);
    assert.deepEqual(found.package_manager, {
      name: "pnpm",
      version: "9.1.0",
      reason: "pnpm-lock.yaml is its lock file, and packageManager of package.json names the version.",
    });
  });

  test("with several leave the choice, which may be named", () => {
    const files = repository({ ...root, ...app("apps/web", "next"), ...app("apps/docs", "astro") });
    const found = detect(files);
    assert.equal(found.directory, null);
    assert.match(found.notes[0] ?? "", /several applications: apps\/web, apps\/docs\./);
    assert.equal(detect(files, "apps/docs").framework?.id, 9);
  });

  test("are not needed for an application in a directory", () => {
    assert.equal(detect(repository({ "README.md": true, ...app("frontend", "nuxt") })).directory?.value, "frontend");
    assert.equal(detect(repository({ ...packages(["nuxt"]), ...app("examples/a", "next") })).directory, null);
  });
});

test("package managers follow their lock files", () => {
  const manager = (files: Record<string, string | object | true>) => detect(repository(files)).package_manager;
  assert.equal(
    manager({ "package.json": { packageManager: "yarn@4.1.0+sha512.00" }, "yarn.lock": true })?.version,
    "4.1.0",
  );
  assert.equal(manager({ "package.json": { packageManager: "pnpm@9.0.0" }, "yarn.lock": true })?.version, null);
  assert.equal(manager({ "package.json": {}, "bun.lock": true })?.name, "bun");
  assert.equal(manager({ "package.json": {}, "bun.lock": true, "package-lock.json": true })?.name, "npm");
  assert.equal(manager({ "composer.json": {} })?.name, "composer");
  assert.equal(manager({ "index.html": true }), null);
});

test("the version of Node is proposed as it is written", () => {
  const version = (files: Record<string, string | object | true>) => {
    return detect(repository(files)).node_version?.value;
  };
  assert.equal(version({ ".nvmrc": "v22.3\n", "package.json": { engines: { node: ">=18" } } }), "v22.3");
  assert.equal(version({ "package.json": { engines: { node: ">=18" } } }), ">=18");
  assert.equal(version({ ".tool-versions": "ruby 3\nnodejs 24.1.0\n" }), "24.1.0");
});

test("the version of PHP is the lowest that fits, where the server's own does not", () => {
  const proposed = (php: string, own?: "8.2") =>
    detect(repository({ "index.php": true, "composer.json": { require: { php } } }), "", own).php_version?.value;
  for (const [range, value, besidesOwn] of [
    ["^8.4", "8.4", "8.4"],
    ["^8.1", "8.1", undefined],
    [">=8.1 <8.3", "8.1", undefined],
    [">= 8.3.4, < 8.4", "8.3", "8.3"],
    ["~8.3.0 || ~8.4.0", "8.3", "8.3"],
    ["7.4 - 8.1", "8.1", "8.1"],
    ["^7.4|^8.0", "8.1", undefined],
    [">8.2", "8.2", undefined],
    ["8.5.*", "8.5", "8.5"],
    ["*", "8.1", undefined],
  ] as const) {
    assert.deepEqual([proposed(range), proposed(range, "8.2")], [value, besidesOwn], range);
  }
  const composer = { require: { php: "^8.1" }, config: { platform: { php: "8.3.10" } } };
  const files = { "index.php": true, "composer.json": composer } as const;
  assert.deepEqual(detect(repository(files), "", "8.2").php_version, {
    value: "8.3",
    reason: "config.platform of composer.json asks for PHP 8.3.10.",
  });
  const older = detect(repository({ ...files, ".php-version": "7.4\n" }), "", "8.2");
  assert.deepEqual(
    [older.php_version, older.notes],
    [null, [".php-version asks for PHP 7.4, and a project can have 8.1 to 8.5."]],
  );
  const withoutPhp = repository({ "index.html": true, ".php-version": "8.3" });
  assert.equal(detect(withoutPhp).php_version, null, "only for projects that run on PHP");
});

test("the lines of a Procfile become the start command, the deployment script and background jobs", () => {
  const Procfile = "web: node server.js\nrelease: npx prisma migrate deploy\n# no\nworker: node worker.js\r\n: x\n";
  const found = detect(repository({ ...packages(["express"], { start: "x" }), Procfile }));
  assert.equal(found.start_command?.value, "node server.js");
  assert.equal(found.deployment_script?.value, "npx prisma migrate deploy");
  assert.deepEqual(found.background_jobs, [
    { name: "worker", command: "node worker.js", reason: "Procfile has the line worker." },
  ]);
  assert.equal(detect(repository({ "index.php": true, Procfile })).start_command, null, "PHP has no process to start");
});

test("Laravel's own health page is proposed", () => {
  const files = { artisan: true as const, "bootstrap/app.php": "->withRouting(health: '/up',)" };
  assert.equal(detect(repository(files)).health_path?.value, "/up");
});

test("files that are not what they should be are named, and nothing of theirs is believed", () => {
  for (const text of ["{", "[]", "null", '"x"']) {
    const found = detect(repository({ "package.json": text, "index.html": true }));
    assert.deepEqual(found.notes, ["package.json is empty, or is not the JSON that it should be."]);
  }
  const odd = { scripts: "x", dependencies: ["next"], engines: 3, packageManager: {}, volta: null };
  assert.equal(detect(repository({ "package.json": odd })).framework, null);
});

test("PHP beside a page is the reason for PHP, and the script that lies highest is named", () => {
  const found = detect(repository({ "index.html": true, "a/b/x.php": true, "a/mail.php": true }));
  assert.equal(
    found.framework?.reason,
    "There is an index.html, with PHP beside it (a/mail.php), which a site of files would not run.",
  );
});

test("rules of .htaccess files that have no effect are noted, where nginx serves the files", () => {
  const notes = (files: Record<string, string | object | true>) => detect(repository(files)).notes;
  const front = "RewriteEngine On\nRewriteCond %{REQUEST_FILENAME} !-f\nRewriteRule ^ index.php [L]\n";
  const harmless = { ".htaccess": front, "data/.htaccess": "Require all denied", "web/.htaccess": front };
  assert.deepEqual(notes({ "index.php": true, ...harmless }), []);
  const own = { ".htaccess": "Header set A b\nRewriteRule ^a$ b.php", "admin/.htaccess": "Require valid-user" };
  const expected = [
    "nginx does not follow all rules of .htaccess (headers, rewrites).",
    "No visitor gets what admin/.htaccess (passwords) opens to some: nginx does not check that.",
  ];
  assert.deepEqual(notes({ "index.php": true, ...own }), expected);
  assert.deepEqual(notes({ "index.html": true, ...own }), expected);
  assert.deepEqual(notes({ ...packages(["next"]), ...own }), []);
});

describe("the paths that an application writes to", () => {
  const php = { "index.php": true } as const;
  const node = packages(["express"], { start: "node index.js" });
  const directoriesOf = (files: Record<string, string | object | true>, directory?: string) =>
    detect(repository(files), directory).shared_directories?.value ?? null;
  const filesOf = (files: Record<string, string | object | true>) =>
    detect(repository(files)).shared_files?.value ?? null;

  test("are directories that the repository has without content", () => {
    const data = { "data/.htaccess": true, "data/web.config": true, "data/files/.gitkeep": true } as const;
    const { shared_directories: found } = detect(repository({ ...php, ...data }));
    assert.deepEqual(found, {
      value: ["data"],
      reason: "The repository has the directory data without content, for what the application writes.",
    });
    assert.deepEqual(directoriesOf({ ...php, "bl-content/.gitkeep": true }), ["bl-content"]);
    const users = { "data/index.html": true, "data/users/_/config.default.php": true, "data/README.md": true } as const;
    assert.deepEqual(directoriesOf({ ...php, ...users }), ["data"]);
    assert.deepEqual(directoriesOf({ ...node, "public/app.js": true, "public/uploads/.gitignore": true }), [
      "public/uploads",
    ]);
    assert.deepEqual(directoriesOf({ ...php, "p/index.php": true, "secret/index.html": true }), ["secret"]);
    assert.deepEqual(directoriesOf({ "site/index.php": true, "site/data/.gitkeep": true }, "site"), ["site/data"]);
  });

  test("are no caches, code or results of builds, nor what a framework keeps by itself", () => {
    const files = [
      "cache/.htaccess",
      "tmp/.gitkeep",
      "src/Entity/.gitignore",
      "migrations/.gitignore",
      "dist/.gitkeep",
    ];
    const others = ["src/data/.gitkeep", "plugins/.gitkeep", "public/.gitkeep", ".github/data/.gitkeep", "data/a.php"];
    const all = Object.fromEntries([...files, ...others].map((path) => [path, true as const]));
    assert.equal(directoriesOf({ ...php, ...all }), null);
    const laravel = { artisan: true, "storage/app/.gitignore": true, "bootstrap/cache/.gitignore": true } as const;
    assert.equal(directoriesOf(laravel), null);
    assert.equal(directoriesOf({ "index.html": true, "data/.gitkeep": true }), null, "a static site writes nothing");
  });

  test("are what .gitignore names as data, and where some frameworks write", () => {
    const ignore = "node_modules\n/data\ndb/data/\n/uploads/*\n!uploads/.gitkeep\n*.sqlite\n# files\ndist/\napp.db\n";
    assert.deepEqual(directoriesOf({ ...node, ".gitignore": ignore }), ["data", "db/data", "uploads"]);
    assert.deepEqual(filesOf({ ...node, ".gitignore": ignore }), ["app.db"]);
    assert.deepEqual(directoriesOf({ ...node, ".gitignore": "/data\n", "data/rates.json": true }), null);
    assert.deepEqual(directoriesOf(packages(["@strapi/strapi"], { start: "strapi start" })), [
      "public/uploads",
      ".tmp",
    ]);
  });

  test("are databases that are configured, outside of these directories", () => {
    const schema = 'datasource db {\n  provider = "sqlite"\n  url = "file:./dev.db"\n}';
    assert.deepEqual(filesOf({ ...node, "prisma/schema.prisma": schema }), ["prisma/dev.db"]);
    const laravel = { artisan: true, "composer.json": { require: { "laravel/framework": "12" } } } as const;
    const example = { ".env.example": "APP_KEY=\nDB_CONNECTION=sqlite\n" };
    assert.deepEqual(filesOf({ ...laravel, ...example }), ["database/database.sqlite"]);
    assert.equal(filesOf(laravel), null);
  });

  test("are accepted as they are when the project is created", () => {
    const { shared_directories: found } = detect(repository({ ...php, "data/.gitkeep": true, "media/.gitkeep": true }));
    assert.deepEqual(projectErrors({ shared_directories: found?.value, shared_files: [] }), {});
  });
});
