import assert from "node:assert/strict";
import { lchownSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { projectLayout } from "../../layout.ts";
import { noteSources, readAccess, writeAccess } from "../access-files.ts";
import type { Site } from "../model.ts";
import { releaseCheckPath } from "../well-known.ts";
import { sourcePattern } from "../withheld.ts";
import { Nginx } from "./nginx.ts";

/** Takes the place of PHP: answers with the script that it should run. */
async function startPhp(socket: string): Promise<Server> {
  const record = (type: number, content: Buffer) =>
    Buffer.concat([Buffer.from([1, type, 0, 1, content.length >> 8, content.length & 255, 0, 0]), content]);
  const server = createServer((connection) => {
    let collected = Buffer.alloc(0);
    connection.on("error", () => {});
    connection.on("data", (piece) => {
      collected = Buffer.concat([collected, piece]);
      // An empty record of the standard input ends a request.
      if (!collected.includes(Buffer.from([1, 5, 0, 1, 0, 0]))) return;
      const [, script] =
        /SCRIPT_FILENAME[\w\W]*?\/releases\/\d+(\/[ -~]*?\.php)/.exec(collected.toString("latin1")) ?? [];
      const body = Buffer.from(`Status: 200\r\nContent-Type: text/plain\r\n\r\nran ${script}`);
      connection.end(Buffer.concat([record(6, body), record(6, Buffer.alloc(0)), record(3, Buffer.alloc(8))]));
    });
  });
  mkdirSync(dirname(socket), { recursive: true });
  await new Promise<void>((listening) => server.listen(socket, listening));
  return server;
}

const nginx = new Nginx();
const php = projectLayout(1, nginx.directory);
const pages = projectLayout(2, nginx.directory);
const servers: Server[] = [];

const siteOf = (layout: Site["layout"], kind: Site["kind"]): Site => ({
  layout,
  kind,
  domains: [{ name: `p${layout.id}.test` }],
  wwwRedirect: 0,
  redirectStatus: 301,
  markdownNegotiation: true,
});

before(async () => {
  for (const { logs, state, releases, acmeChallenges } of [php, pages]) {
    for (const path of [logs, state, releases, acmeChallenges]) mkdirSync(path, { recursive: true });
  }
  servers.push(await startPhp(php.phpSocket));
  await nginx.start([siteOf(php, { family: "php" }), siteOf(pages, { family: "static", spa: true })]);
});
after(async () => {
  await nginx.stop();
  for (const server of servers) server.close();
});

let last = 0;

/** Makes a release of files live, as a deployment does; resolves with its directory, and what the deployment warns of. */
function release(layout: Site["layout"], files: Record<string, string>, served = ".") {
  last += 1;
  const directory = `${layout.releases}/${last}`;
  for (const [path, content] of Object.entries({ ".longshore/x": "", ...files })) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  symlinkSync(`../${served}`, `${directory}/.longshore/public`);
  const warnings = read(layout, directory);
  makeLive(layout, last);
  return { directory, number: last, warnings };
}

function read(layout: Site["layout"], directory: string): string[] {
  const notRun = layout === pages ? new RegExp(sourcePattern, "i") : undefined;
  const { verdicts, sentences } = readAccess({ release: directory, shared: layout.shared, notRun });
  writeAccess(directory, verdicts);
  noteSources(directory, directory);
  return sentences;
}

function makeLive({ current }: Site["layout"], number: number): void {
  symlinkSync(`releases/${number}`, `${current}.new`);
  renameSync(`${current}.new`, current);
}

/** What visitors get: the status, or the script that ran, or the content. */
async function got(layout: Site["layout"], path: string, headers: Record<string, string> = {}): Promise<string> {
  const { status, body } = await nginx.get(`p${layout.id}.test`, path, headers);
  return status === 200 ? body : String(status);
}

/** A request with an address as it is, which clients would change. */
const raw = (layout: Site["layout"], path: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(nginx.port, "127.0.0.1", () => {
      socket.write(`GET ${path} HTTP/1.0\r\nHost: p${layout.id}.test\r\n\r\n`);
    });
    socket.setEncoding("latin1").on("error", reject);
    socket.on("data", (data) => {
      text += data;
    });
    socket.on("end", () => resolve(text));
  });

const secret = "SECRET";

describe("a PHP site whose project is what is served", () => {
  const hidden = [
    ...["data/app.sqlite", "data/app.SQLITE3", "app.db", "app.db-wal", "app.sqlite-journal", "dump.sql", "dump.sql.gz"],
    ...[
      "config.ini",
      "settings.yml",
      "x.YAML",
      "phpstan.neon",
      "phpunit.xml",
      "phpunit.xml.dist",
      "web.config",
      "prod.env",
    ],
    ...[
      "debug.log",
      "logs/app.log.1",
      "error_log",
      "app.sql.2026-11-01",
      "x.bak",
      "index.php.bak",
      "index.php~",
      "a.php.swp",
    ],
    ...[
      "part.phtml",
      "a.inc",
      "b.PHP",
      "c.php5",
      "d.phps",
      "e.phar",
      "f.pht",
      "index.php.gz",
      "x.inc.br",
      "g.phtml.old",
    ],
    ...[
      "views/page.twig",
      "views/page.blade.php",
      "mail.tpl",
      "run.sh",
      "bin/console",
      "artisan",
      "Makefile",
      "Dockerfile",
    ],
    ...["composer.json", "composer.lock", "package.json", "package-lock.json", "yarn.lock", "bun.lockb", "auth.json"],
    ...[
      "vendor/autoload.php",
      "vendor/a/b/src/x.php",
      "vendor/composer/installed.json",
      "vendor/a/readme.md",
      "vendor/a/LICENSE",
    ],
    ...[
      "plugins/p/vendor/x.php",
      "node_modules/a/index.html",
      "node_modules/a/package.json",
      ".git/config",
      ".env",
      ".htaccess",
    ],
    ...["modules/x.module", "server.pem"],
  ];
  const sent = [
    ...[
      "style.css",
      "app.js",
      "a/b/image.PNG",
      "fonts/x.woff2",
      "readme.html",
      "page.htm",
      "feed.xml",
      "robots.txt",
      "data.json",
    ],
    ...[
      "download.zip",
      "archive.tar.gz",
      "manual.pdf",
      "notes.txt",
      "sitemap.xml",
      "app.js.map",
      "site.webmanifest",
      "x.csv",
    ],
    ...[
      "vendor/a/dist/a.min.css",
      "vendor/a/a.js",
      "vendor/fonts/f.woff",
      "vendor/img/i.svg",
      "node_modules/a/dist/a.mjs",
    ],
    ...["includes.css", "my-php-logo.png", "config.js", "database.html", "sql/help.html", "CHANGELOG.md", "inc/x.css"],
    ...[".well-known/security.txt"],
  ];
  const run = ["index.php", "a/page.php", "config.inc.php", "inc/x.php", "sql.php", "vendors/x.php"];

  before(() => {
    release(
      php,
      Object.fromEntries([...hidden, ...sent, ...run].map((path) => [path, path.endsWith(".php") ? secret : path])),
    );
  });

  for (const path of hidden) {
    test(`sends no visitor ${path}, in any way of asking for it`, async () => {
      const parts = path.split("/");
      const slashes = parts.join("%2F");
      const encoded = [...path].map((each) => (each === "/" ? each : `%${each.charCodeAt(0).toString(16)}`)).join("");
      for (const way of [
        path,
        encoded,
        slashes,
        `./${path}`,
        `x/../${path}`,
        `/${path}`,
        `${path}?a=b.css`,
        `${path}#b`,
      ]) {
        assert.match(await raw(php, `/${way}`), /^HTTP\/1.1 404 /, way);
      }
      for (const way of [
        `${path}/`,
        `${path}/b.css`,
        `${path}.`,
        `${path}%00.css`,
        `${path}%00`,
        `${path}%20`,
        `${path}%0A`,
        `${path};.css`,
        `${path}/x.php`,
        `${path}%2f..%2fx.css`,
      ]) {
        const answer = await raw(php, `/${way}`);
        assert.match(answer, /^HTTP\/1.1 (?:40[034] .*|200\b.*ran \/index\.php)$/s, way);
      }
      for (const accept of ["gzip, br", "identity"]) {
        assert.equal(await got(php, `/${path}`, { "accept-encoding": accept, accept: "text/markdown" }), "404");
      }
    });
  }

  for (const path of sent) test(`sends ${path}`, async () => assert.equal(await got(php, `/${path}`), path));

  test("runs scripts, with what follows them", async () => {
    for (const path of run) assert.equal(await got(php, `/${path}`), `ran /${path}`);
    for (const path of ["/index.php/a.sqlite", "/a/page.php/vendor/x.php", "/index.php/.env", "/index.php/x.phtml"]) {
      assert.match(await got(php, path), /^ran \/(?:index|a\/page)\.php$/, path);
    }
  });

  test("gives the front controller addresses of the same kinds that are not there", async () => {
    for (const path of ["/report.sql", "/openapi.yaml", "/vendor/7/edit", "/a/console", "/vendor/", "/node_modules/"]) {
      assert.equal(await got(php, path), "ran /index.php", path);
    }
  });

  test("sends no Markdown of packages beside an address", async () => {
    assert.equal(await got(php, "/CHANGELOG", { accept: "text/markdown" }), "CHANGELOG.md");
    assert.equal(await got(php, "/vendor/a/readme", { accept: "text/markdown" }), "404");
  });

  test("takes a directory vendor with an index page for a part of the application", async () => {
    const files = {
      "index.php": "",
      "vendor/index.php": "",
      "vendor/login.php": "",
      "vendor/x.sql": "",
      "vendor/a.txt": "a",
    };
    release(php, files);
    assert.equal(await got(php, "/vendor/login.php"), "ran /vendor/login.php");
    assert.equal(await got(php, "/vendor/a.txt"), "a");
    assert.equal(await got(php, "/vendor/x.sql"), "404");
  });
});

describe("a PHP site with a directory that was made to be served", () => {
  test("sends what was put there, and neither databases nor source", async () => {
    const open = [
      "docs/openapi.yaml",
      "vendor/horizon/manifest.json",
      "vendor/x/index.html",
      "install.sh",
      "tsconfig.json",
      "a.tpl",
    ];
    const closed = ["x.sqlite", "y.phtml", "z.inc", "error.log", "old.php.bak", "Z.PHP", "dump.sql"];
    const files = Object.fromEntries([...open, ...closed].map((path) => [`public/${path}`, path]));
    release(php, { ...files, "public/index.php": "", "composer.json": "{}" }, "public");
    for (const path of open) assert.equal(await got(php, `/${path}`), path);
    for (const path of closed) assert.equal(await got(php, `/${path}`), "404", path);
  });

  test("is the project itself if its lists of packages are there", async () => {
    release(php, { "web/index.php": "", "web/composer.json": "{}", "web/a.yml": "a" }, "web");
    assert.equal(await got(php, "/a.yml"), "404");
  });
});

describe("a static site", () => {
  test("sends no source of programs, and the deployment warns of it", async () => {
    const closed = [
      "api/settings.php",
      "a.PHP",
      "b.phtml",
      "c.php.bak",
      "d.inc",
      "e.phar",
      "f.cgi",
      "prod.env",
      "g.php.gz",
      "h.phps",
      ".env",
      ".git/config",
    ];
    const open = [
      "index.html",
      "a.sql",
      "app.db",
      "x.yml",
      "b.py",
      "c.sh",
      "style.css",
      "page.php.html",
      ".well-known/x.json",
      "composer.json",
    ];
    const { warnings } = release(pages, Object.fromEntries([...closed, ...open].map((path) => [path, path])));
    for (const path of closed) assert.equal(await got(pages, `/${path}`), "404", path);
    for (const way of ["/api%2Fsettings.php", "/a%2ePHP", "//b.phtml", "/x/../d.inc"]) {
      assert.match(await raw(pages, way), /^HTTP\/1.1 404 /, way);
    }
    for (const way of ["/d.inc/x.css", "/api/settings.php/", "/e.phar%00.css", "/b.phtml."]) {
      assert.doesNotMatch(await raw(pages, way), /(?:inc|php|phar|phtml)$/, way);
    }
    for (const path of open) assert.equal(await got(pages, `/${path}`), path);
    assert.deepEqual(warnings, [
      "A static site runs no programs, and nginx does not send their source: a.PHP, api/settings.php, b.phtml and 7 more. For PHP choose framework 4.",
    ]);
    assert.deepEqual(release(pages, { "index.html": "" }).warnings, []);
  });
});

describe("what .htaccess files deny", () => {
  const denies = "Require all denied\n";

  test("is denied with everything below it, scripts and addresses that are not there as well", async () => {
    const { directory, warnings } = release(php, {
      "index.php": "",
      "data/.htaccess": denies,
      "data/a.txt": secret,
      "data/a.css": secret,
      "data/run.php": secret,
      "data/deep/er/a.js": secret,
      "data.txt": "beside",
      "notes/.htaccess": "Order allow,deny\nDeny from all\n",
      "notes/plan.md": secret,
    });
    for (const path of [
      "data/a.txt",
      "data/a.css",
      "data/run.php",
      "data/run.php/x",
      "data/deep/er/a.js",
      "data/none",
      "data/",
      "data",
      "notes/plan.md",
    ]) {
      assert.equal(await got(php, `/${path}`), "403", path);
      const encoded = path.replaceAll("/", "%2F");
      for (const way of [encoded, `.//${path}`, `index/../${path}`, `${path}?x=/a.css`]) {
        assert.match(await raw(php, `/${way}`), /^HTTP\/1.1 403 /, way);
      }
    }
    assert.equal(await got(php, "/notes/plan", { accept: "text/markdown" }), "403");
    assert.equal(await got(php, "/data.txt"), "beside");
    assert.equal(await got(php, "/other"), "ran /index.php");
    assert.deepEqual(warnings, []);
    writeFileSync(`${directory}/data/later.db`, secret);
    assert.equal(await got(php, "/data/later.db"), "403");
  });

  test("is that of each release, without a reload", async () => {
    const one = release(php, { "index.php": "", "store/a.txt": "one", "store/.htaccess": denies });
    const two = release(php, { "index.php": "", "store/a.txt": "two" });
    assert.equal(await got(php, "/store/a.txt"), "two");
    makeLive(php, one.number);
    assert.equal(await got(php, "/store/a.txt"), "403");
    makeLive(php, two.number);
    assert.equal(await got(php, "/store/a.txt"), "two");
  });

  test("are single files, and all but some of a directory", async () => {
    release(php, {
      "index.php": "",
      ".htaccess":
        '<FilesMatch "^(secret.*|setup\\.php)$">\nDeny from all\n</FilesMatch>\n<Files page.md>\nRequire all denied\n</Files>',
      "secret.txt": secret,
      "setup.php": secret,
      "page.md": secret,
      "sub/secret-2.txt": secret,
      "plugins/.htaccess":
        '<Files "*">\nRequire all denied\n</Files>\n<Files ~ "\\.(css|js)$">\nRequire all granted\n</Files>',
      "plugins/a/a.css": "css",
      "plugins/a/a.json": secret,
      "plugins/a/a.php": secret,
      "plugins/open/.htaccess": '<Files "*">\nRequire all granted\n</Files>\n',
      "plugins/open/a.json": "json",
    });
    for (const path of [
      "secret.txt",
      "setup.php",
      "setup.php/x.css",
      "page.md",
      "sub/secret-2.txt",
      "plugins/a/a.json",
      "plugins/a/a.php",
    ]) {
      assert.equal(await got(php, `/${path}`), "403", path);
    }
    assert.notEqual(await got(php, "/setup.php%0A"), "ran /setup.php");
    assert.notEqual(await got(php, "/page", { accept: "text/markdown" }), secret);
    assert.equal(await got(php, "/plugins/a/a.css"), "css");
    assert.equal(await got(php, "/plugins/open/a.json"), "json");
  });

  test("is found through links, also to what outlives releases, and not beyond", async () => {
    mkdirSync(`${php.shared}/store/in`, { recursive: true });
    writeFileSync(`${php.shared}/store/.htaccess`, denies);
    writeFileSync(`${php.shared}/store/in/a.txt`, secret);
    const { directory } = release(php, {
      "index.php": "",
      "real/.htaccess": denies,
      "real/a.txt": secret,
      "open/a.txt": "open",
    });
    symlinkSync(`${php.shared}/store`, `${directory}/store`);
    symlinkSync("real", `${directory}/other`);
    symlinkSync(".", `${directory}/loop`);
    symlinkSync("/", `${directory}/root`);
    symlinkSync("/proc/self/root", `${directory}/root-2`);
    assert.deepEqual(read(php, directory), []);
    for (const path of ["/store/in/a.txt", "/real/a.txt", "/other/a.txt"])
      assert.equal(await got(php, path), "403", path);
    assert.equal(await got(php, "/open/a.txt"), "open");
  });

  test("shows no visitor which files there are on the server", async () => {
    const { directory } = release(php, { "index.php": "", "y/.htaccess": denies });
    for (const [name, target] of [
      ["a", "/etc/passwd"],
      ["b", "/etc/none"],
    ] as const) {
      mkdirSync(`${directory}/.longshore/access/${name}`, { recursive: true });
      symlinkSync(target, `${directory}/.longshore/access/${name}/.denied`);
      lchownSync(`${directory}/.longshore/access/${name}/.denied`, 12_345, 12_345);
    }
    symlinkSync("/", `${directory}/.longshore/access/c`);
    lchownSync(`${directory}/.longshore/access/c`, 12_345, 12_345);
    const answers = await Promise.all(["/a", "/b", "/c/etc", "/c/none"].map((path) => got(php, path)));
    assert.deepEqual(new Set(answers), new Set(["ran /index.php"]));
    symlinkSync("/etc/passwd", `${directory}/y.sql`);
    symlinkSync("/etc/none", `${directory}/z.sql`);
    for (const name of ["y.sql", "z.sql"]) lchownSync(`${directory}/${name}`, 12_345, 12_345);
    assert.equal(await got(php, "/y.sql"), await got(php, "/z.sql"));
  });

  test("keeps no certificate authority and no check out", async () => {
    release(php, { "index.php": "", ".htaccess": denies });
    writeFileSync(join(php.acmeChallenges, "token"), "proof");
    assert.equal(await got(php, "/"), "403");
    assert.equal(await got(php, "/index.php"), "403");
    assert.equal(await got(php, "/.well-known/acme-challenge/token"), "proof");
    const pass = `live-${"0d".repeat(16)}`;
    writeFileSync(`${php.state}/candidate-${pass}`, "");
    const answer = await got(php, releaseCheckPath, { "x-longshore-candidate": pass });
    rmSync(`${php.state}/candidate-${pass}`);
    assert.match(answer, /\/releases\/\d+\n$/);
  });

  test("holds on static sites as well", async () => {
    release(pages, {
      "index.html": "page",
      "404.html": "own 404",
      "drafts/.htaccess": denies,
      "drafts/a.html": secret,
      ".htaccess": "RewriteEngine On\nRewriteRule ^src/ index.php [L]",
      "src/a.js": secret,
    });
    assert.equal(await got(pages, "/drafts/a.html"), "403");
    assert.equal(await got(pages, "/drafts/a"), "403");
    assert.equal(await got(pages, "/src/a.js"), "404");
    assert.equal(await got(pages, "/"), "page");
  });
});

describe("applications as people have them in a repository", () => {
  const front =
    "RewriteEngine on\nRewriteCond %{REQUEST_FILENAME} !-f\nRewriteCond %{REQUEST_FILENAME} !-d\nRewriteRule ^(.*)$ index.php [L]\n";
  const shapes: [name: string, files: Record<string, string>, answers: Record<string, string>, warnings?: RegExp][] = [
    [
      "a board with its database in a directory that it denies",
      {
        ".htaccess": front,
        "index.php": "",
        "jsonrpc.php": "",
        "data/.htaccess":
          "<IfModule mod_version.c>\n<IfVersion >= 2.4>\nRequire all denied\n</IfVersion>\n<IfVersion < 2.4>\nOrder allow,deny\nDeny from all\n</IfVersion>\n</IfModule>",
        "data/board.sqlite": secret,
        "data/files/a.png": secret,
        "vendor/autoload.php": "",
        "assets/css/app.min.css": "css",
        "config.default.php": "",
      },
      {
        "/data/board.sqlite": "403",
        "/data/files/a.png": "403",
        "/vendor/autoload.php": "404",
        "/assets/css/app.min.css": "css",
        "/jsonrpc.php": "ran /jsonrpc.php",
        "/board/1": "ran /index.php",
      },
    ],
    [
      "files as content, which rewriting gives to the front controller",
      {
        ".htaccess": `RewriteEngine on\nRewriteRule (^|/)\\.(?!well-known/) index.php [L]\nRewriteRule ^content/(.*) index.php [L]\nRewriteRule ^site/(.*) index.php [L]\nRewriteRule ^core/(.*) index.php [L]\n${front}`,
        "index.php": "",
        "content/home/home.txt": secret,
        "content/home/photo.jpg": secret,
        "site/blueprints/site.yml": secret,
        "site/accounts/a/index.php": "",
        "core/views/index.php": "",
        "media/a/b.jpg": "jpg",
        "assets/a.css": "css",
      },
      {
        "/content/home/home.txt": "404",
        "/content/home/photo.jpg": "404",
        "/site/blueprints/site.yml": "404",
        "/site/accounts/a/index.php": "404",
        "/core/views/index.php": "404",
        "/media/a/b.jpg": "jpg",
        "/assets/a.css": "css",
        "/content/home": "ran /index.php",
        "/site/none.txt": "ran /index.php",
      },
    ],
    [
      "a front controller of another name, and what is not there in place of files",
      {
        ".htaccess":
          "DirectoryIndex index.html start.php\nRewriteEngine on\nRewriteRule ^(pages|system)/ error [L]\nRewriteCond %{REQUEST_FILENAME} !-f\nRewriteRule ^ start.php [L]\n",
        "start.php": "",
        "system/users/users.ini": secret,
        "system/themes/a.css": secret,
        "pages/1.md": secret,
        "media/a.css": "css",
      },
      {
        "/system/users/users.ini": "403",
        "/system/themes/a.css": "403",
        "/pages/1.md": "403",
        "/media/a.css": "css",
        "/start.php": "ran /start.php",
      },
      /^nginx does not follow all rules of \.htaccess \(rewrites\)\.$/,
    ],
    [
      "directories that an installer makes later",
      {
        ".htaccess": `RewriteEngine on\nRewriteRule ^content/(databases|pages|tmp)/.*$ - [R=404,L]\n${front}`,
        "index.php": "",
        "install.php": "",
        "kernel/a.php": "",
      },
      {
        "/content/databases/users.php": "403",
        "/content/tmp/x.txt": "403",
        "/content/uploads/x.txt": "ran /index.php",
        "/install.php": "ran /install.php",
      },
    ],
    [
      "a reader with its data beside the served directory",
      {
        "index.php": "",
        "p/index.php": "",
        "p/themes/a.css": "css",
        "data/.htaccess":
          "<IfModule !mod_authz_core.c>\nOrder Allow,Deny\nDeny from all\nSatisfy all\n</IfModule>\n<IfModule mod_authz_core.c>\nRequire all denied\n</IfModule>",
        "data/users/a/db.sqlite": secret,
        "data/config.php": "",
        "cli/x.php": "",
        "cli/.htaccess": "Require local",
      },
      {
        "/data/users/a/db.sqlite": "403",
        "/data/config.php": "403",
        "/cli/x.php": "403",
        "/p/": "ran /p/index.php",
        "/p/themes/a.css": "css",
      },
    ],
    [
      "a page with scripts beside it",
      {
        "index.html": "page",
        "worker.js": "js",
        "backend/ip.php": "",
        "results/settings.php": "",
        "results/schema_mysql.sql": secret,
        Dockerfile: "",
      },
      {
        "/": "page",
        "/worker.js": "js",
        "/backend/ip.php": "ran /backend/ip.php",
        "/results/schema_mysql.sql": "404",
        "/Dockerfile": "404",
        "/none": "404",
      },
    ],
  ];
  for (const [name, files, answers, warned] of shapes) {
    test(name, async () => {
      const { warnings } = release(php, files);
      for (const [path, answer] of Object.entries(answers)) assert.equal(await got(php, path), answer, path);
      if (warned) assert.match(warnings.join("\n"), warned);
      else assert.deepEqual(warnings, []);
    });
  }
});

describe("the list in docs/frameworks.md", () => {
  const text = readFileSync(new URL("../../../../docs/frameworks.md", import.meta.url), "utf8");
  const rows = [...text.matchAll(/^\| ([^|]*`[^|]*) \| (static, PHP|static|PHP|served whole) \| /gm)];
  for (const [, cell = "", sites = ""] of rows) {
    const names = Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = ""]) => name).filter(
      (name) => !/^-|\/$/.test(name),
    );
    test(`is true of ${names[0]} and ${names.length - 1} more`, async () => {
      assert.ok(names.length > 0);
      const paths = names.map((name) => (name.startsWith(".") ? `a/x${name}` : name));
      const files = Object.fromEntries(paths.map((path) => [path, secret]));
      for (const layout of [...(sites.includes("static") ? [pages] : []), ...(sites === "static" ? [] : [php])]) {
        release(layout, { ...files, "index.html": "", "index.php": "" });
        for (const path of paths) assert.equal(await got(layout, `/${path}`), "404", path);
      }
      // Of a directory that was made to be served; the lists of packages show that it is not.
      if (sites !== "served whole" || names.includes("composer.json")) return;
      const open = paths.filter((path) => !path.endsWith(".php"));
      release(php, Object.fromEntries(open.map((path) => [`public/${path}`, "open"])), "public");
      for (const path of open) assert.equal(await got(php, `/${path}`), "open", path);
    });
  }
  test("has all of its rows", () => assert.equal(rows.length, 14));
});
