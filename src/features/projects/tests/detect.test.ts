import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { detect } from "../detection/detect.ts";
import { projectErrors } from "../validation.ts";
import { type Files, packages, repository, templates } from "./repositories.ts";

describe("a repository is recognized", () => {
  for (const [name, files, framework, output, start] of templates) {
    test(name, () => {
      const found = detect(repository(files));
      assert.equal(found.framework?.id, framework, JSON.stringify(found));
      assert.equal(found.output_directory?.value, output);
      assert.equal(found.start_command?.value, start);
      if (found.framework) assert.match(found.framework.reason, /^(?!.*, or ).*\.$/);
      else assert.ok(found.notes.length > 0 && found.notes.every((note) => note.endsWith(".")));
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

  test("name no libraries as applications", () => {
    const library = (more: object) => ({ devDependencies: { vite: "5", vitest: "1", next: "15" }, ...more });
    const files = repository({
      ...root,
      ...app("apps/web", "next"),
      "packages/ui/package.json": {
        private: true,
        main: "index.js",
        devDependencies: { vite: "5" },
        scripts: { build: "vite build" },
      },
      "packages/lib/package.json": library({ exports: "./index.js", scripts: { test: "vitest" } }),
      "packages/core/package.json": library({ module: "dist/a.mjs", scripts: { build: "vite build", dev: "vite" } }),
      "packages/core/vite.config.ts": "build: { lib: {} }",
      "packages/tools/package.json": { main: "index.js", scripts: { start: "tsc --watch", build: "tsc" } },
    });
    const found = detect(files);
    assert.deepEqual([found.directory?.value, found.notes], ["apps/web", []]);
  });

  test("are not needed for an application in a directory", () => {
    assert.equal(detect(repository({ "README.md": true, ...app("frontend", "nuxt") })).directory?.value, "frontend");
    assert.equal(detect(repository({ ...packages(["nuxt"]), ...app("examples/a", "next") })).directory, null);
  });
});

test("package managers follow their lock files", () => {
  const manager = (files: Files) => detect(repository(files)).package_manager;
  assert.equal(
    manager({ "package.json": { packageManager: "yarn@4.1.0+sha512.00" }, "yarn.lock": true })?.version,
    "4.1.0",
  );
  assert.equal(manager({ "package.json": { packageManager: "pnpm@9.0.0" }, "yarn.lock": true })?.version, null);
  assert.equal(manager({ "package.json": {}, "bun.lock": true })?.name, "bun");
  assert.equal(manager({ "package.json": {}, "bun.lock": true, "package-lock.json": true })?.name, "npm");
  assert.equal(manager({ "composer.json": {} })?.name, "composer");
  const linters = {
    "package.json": { scripts: { lint: "eslint ." } },
    "package-lock.json": true,
    "index.php": true,
  } as const;
  assert.equal(manager(linters), null, "a package.json that builds nothing");
  assert.equal(manager({ ...linters, "composer.json": {} })?.name, "composer");
  assert.equal(manager({ "index.html": true }), null);
});

describe("what cannot be deployed", () => {
  const notes = (files: Files) => detect(repository(files)).notes.join(" ");

  test("is named, with what to do", () => {
    for (const [files, sentence] of [
      [
        { "manage.py": true, "requirements.txt": "Django\n" },
        /a Python application with Django \(manage\.py\), and Python is not run/,
      ],
      [{ "requirements.txt": "uvicorn\nfastapi\n", "app.py": true }, /a Python application with FastAPI/],
      [{ Gemfile: "gem 'sinatra'\n" }, /Ruby application \(Gemfile\)/],
      [{ "bin/rails": true, Gemfile: "x" }, /Ruby on Rails/],
      [{ "go.mod": true, "cmd/shop/main.go": true }, /Go application \(go\.mod\)/],
      [{ "deno.jsonc": true }, /Deno/],
      [{ "Cargo.toml": true }, /Rust/],
      [{ Dockerfile: true }, /There is a Dockerfile, and images are not built or run: /],
      [{ "compose.yaml": true }, /compose\.yaml, and the containers of Compose are not run/],
      [{ "hugo.toml": true, "content/a.md": true }, /site for Hugo \(hugo\.toml\).* directory public.*hugo-extended/],
      [{ "_config.yml": true, "_posts/a.md": true, "index.md": true }, /site for Jekyll .* directory _site/],
      [{ "index.html": "---\ntitle: x\n---\n" }, /template and no page/],
      [{ "mkdocs.yml": true, "pages/index.md": true }, /MkDocs/],
      [packages(["@builder.io/qwik-city"]), /qwik add express/],
      [packages(["expo"], { start: "expo start" }), /expo export/],
      [
        packages(["hono"], { start: "wrangler dev src/index.ts" }),
        /start script runs wrangler dev, which is for development\. Add a start/,
      ],
      [{ "site.php": true }, /There is PHP \(site\.php\), and no index\.php/],
    ] as [Files, RegExp][]) {
      const found = detect(repository(files));
      assert.equal(found.framework, null, JSON.stringify(files));
      assert.match(found.notes.join(" "), sentence);
    }
    assert.equal(notes({ "README.md": true }), "Nothing was found that shows the framework: choose it yourself.");
  });

  test("is named beside the framework where that is known", () => {
    assert.match(notes(packages(["@sveltejs/kit", "@sveltejs/adapter-auto"])), /adapter-auto.*@sveltejs\/adapter-node/);
    assert.match(
      notes({ ...packages(["astro", "@astrojs/netlify"]), "astro.config.ts": 'output: "server"' }),
      /install @astrojs\/node/,
    );
    assert.match(
      notes({ ...packages(["astro", "@astrojs/node"]), "astro.config.ts": 'mode: "middleware"' }),
      /mode standalone/,
    );
    assert.match(
      notes({ ...packages(["nuxt"]), "nuxt.config.ts": "nitro: { preset: 'vercel' }" }),
      /preset vercel.*node-server/,
    );
    assert.match(
      notes(packages(["@solidjs/start"], { build: "NITRO_PRESET=cloudflare-pages-x vinxi build" })),
      /preset cloudflare/,
    );
    assert.match(notes(packages(["express"], { start: "A=b nodemon server.js" })), /Name the (?:server|command)/);
    assert.equal(notes(packages(["@nestjs/core"], { start: "nest start --watch" })), "");
  });

  test("does not hide an application in a directory", () => {
    const frontend = { "web/package.json": packages(["next"])["package.json"] };
    const found = detect(repository({ "manage.py": true, ...frontend }));
    assert.deepEqual([found.framework?.id, found.directory?.value], [5, "web"]);
    assert.match(found.notes.join(), /Python/);
    const beside = detect(repository({ ...packages(["next"]), "app.py": true, "requirements.txt": "flask" }));
    assert.equal(beside.framework?.id, 5);
    assert.match(beside.notes.join(), /Python application with Flask \(app\.py\), and Python is not run/);
  });
});

describe("the version of Node", () => {
  const version = (node: Files, directory?: string) => {
    const found = detect(repository({ ...packages(["express"], { start: "node a.js" }), ...node }), directory);
    return [found.node_version, found.notes];
  };

  test("is no setting, since deployments read the files that name it", () => {
    for (const text of ["v22.3\n", "lts/jod", "# ours\n22\n", "node", ">=20 <23", "lts/*"]) {
      assert.deepEqual(version({ ".nvmrc": text }), [null, []], text);
    }
    const engines = { scripts: { start: "node a.js" }, engines: { node: ">=15" } };
    assert.deepEqual(version({ "package.json": engines }), [null, []]);
  });

  test("is noted where a deployment could not have it", () => {
    for (const text of ["16", "v14.17.0\n", "^16.1 || ^14"]) {
      assert.match(
        String(version({ ".nvmrc": text })[1]),
        /^\.nvmrc asks for Node .*, and 18 is the oldest .* Set the project's Node version \(node_version\)/,
      );
    }
    assert.match(
      String(version({ ".node-version": "# none\n" })[1]),
      /^\.node-version is empty: .* Set the project's Node version/,
    );
    const inner = { "web/package.json": { scripts: { start: "node a.js" } }, ".nvmrc": "12" };
    assert.match(String(version(inner, "web")[1]), /^\.nvmrc asks for Node 12/);
    assert.deepEqual(detect(repository({ "index.html": true, ".nvmrc": "12" })).notes, []);
  });
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

describe("the web process of a Procfile", () => {
  const seen = (web: string, names: string[], scripts: Record<string, string> = {}) => {
    const { framework, start_command: start } = detect(
      repository({ ...packages(names, scripts), "server.mjs": true, Procfile: `web: ${web}\n` }),
    );
    return [framework?.id ?? null, start?.value ?? null];
  };
  for (const [web, names, expected] of [
    ["NODE_ENV=production node dist/index.js", ["koa"], [8, "NODE_ENV=production node dist/index.js"]],
    ["NODE_ENV=production node server.mjs", ["express", "vite"], [8, "NODE_ENV=production node server.mjs"]],
    ["tsx server.mjs", ["express", "vite"], [8, "npx tsx server.mjs"]],
    ["A=1 tsx server.mjs", ["express"], [8, "A=1 npx tsx server.mjs"]],
    ["exec node server.mjs", ["express"], [8, "exec node server.mjs"]],
    ["nodemon server.mjs", ["express"], [8, "node server.mjs"]],
    ["npm run serve", ["express"], [8, "npm run serve"]],
  ] as const) {
    test(`"${web}" is what is started`, () =>
      assert.deepEqual(seen(web, [...names], { serve: "node server.mjs" }), expected));
  }

  for (const web of [
    "vendor/bin/heroku-php-apache2 public/",
    "gunicorn app:app",
    "PORT=1 bundle exec puma",
    "./bin/app",
    "python3 a.py",
  ]) {
    test(`"${web}" is none of Node.js`, () => {
      assert.deepEqual(seen(web, ["express"], { start: "node other.js" })[1], null);
    });
  }
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

describe("Laravel", () => {
  const laravel = { artisan: true, "composer.json": { require: { "laravel/framework": "^12" } } } as const;

  test("has migrations after the build, its scheduler and a worker of its queue", () => {
    const found = detect(
      repository({
        ...laravel,
        "database/migrations/2026_01_01_000000_create_users_table.php": true,
        ".env.example": "QUEUE_CONNECTION=redis\n",
        "routes/console.php": "Schedule::command('reports')->daily();",
      }),
    );
    assert.deepEqual(found.deployment_script, {
      value: "php artisan migrate --force",
      reason: "database/migrations has migrations of Laravel.",
    });
    assert.deepEqual(found.scheduler_jobs, [
      {
        name: "scheduler",
        command: "php artisan schedule:run",
        cron_expression: "* * * * *",
        reason: "routes/console.php schedules commands.",
      },
    ]);
    assert.deepEqual(
      found.background_jobs.map(({ name, command }) => [name, command]),
      [["queue", "php artisan queue:work --tries=3 --max-time=3600"]],
    );
    assert.match(found.background_jobs[0]?.reason ?? "", /queue redis/);
  });

  test("has Horizon where it is required, no worker for sync, and the processes of a Procfile", () => {
    const jobs = (files: Files) =>
      detect(repository({ ...laravel, ...files })).background_jobs.map(({ command }) => command);
    const horizon = { "composer.json": { require: { "laravel/framework": "^12", "laravel/horizon": "^5" } } };
    assert.deepEqual(jobs(horizon), ["php artisan horizon"]);
    assert.deepEqual(jobs({ ".env.example": "QUEUE_CONNECTION=sync\n" }), []);
    assert.deepEqual(jobs({ Procfile: "worker: php artisan queue:listen\n" }), ["php artisan queue:listen"]);
    assert.equal(detect(repository(laravel)).deployment_script, null);
  });
});

test("migrations of other libraries are proposed, too", () => {
  const script = (files: Files) => detect(repository(files)).deployment_script?.value ?? null;
  const prisma = packages(["prisma", "express"], { start: "node a.js" });
  assert.equal(script({ ...prisma, "prisma/migrations/1/migration.sql": true }), "npx prisma migrate deploy");
  assert.equal(script(prisma), null);
  const symfony = { "symfony/framework-bundle": "7.*", "doctrine/doctrine-migrations-bundle": "3" };
  assert.match(
    script({ "composer.json": { require: symfony }, "migrations/Version1.php": true }) ?? "",
    /migrations:migrate/,
  );
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

test("PHP in a site that is built is noted: nothing runs it", () => {
  const vite = { ...packages(["vite"], { build: "vite build" }), "index.html": true } as const;
  const found = detect(repository({ ...vite, "public/mail.php": true }));
  assert.deepEqual(
    [found.framework?.id, found.notes],
    [9, ["There is PHP (public/mail.php), which a site of files does not run: choose PHP if it is needed."]],
  );
  assert.deepEqual(detect(repository({ ...vite, "tests/mail.php": true })).notes, []);
});

test("rules of .htaccess files that have no effect are noted, where nginx serves the files", () => {
  const notes = (files: Files) => detect(repository(files)).notes;
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
  const directoriesOf = (files: Files, directory?: string) =>
    detect(repository(files), directory).shared_directories?.value ?? null;
  const filesOf = (files: Files) => detect(repository(files)).shared_files?.value ?? null;

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
