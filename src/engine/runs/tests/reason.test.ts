import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { explain, marks, noise, reasonIn, remedies } from "../reason.ts";

/** `announced`: the line before states only that there is a reason. */
const outputs: [what: string, output: string, reason: string, announced?: "announced"][] = [
  [
    "npm's advice about itself",
    "Error: DATABASE_URL is missing\nnpm notice\nnpm notice New major version of npm available! 11.0.0 -> 12.0.0\nnpm notice\n",
    "Error: DATABASE_URL is missing",
  ],
  [
    "an uncaught error of Node",
    "/srv/app/server.js:1\nthrow new Error('x')\n^\n\nError: Cannot find module 'express'\nRequire stack:\n- /srv/app/server.js\n" +
      "    at Function._resolve (node:internal/modules/cjs/loader:1386:15) {\n  code: 'MODULE_NOT_FOUND',\n  requireStack: [\n" +
      "    '/srv/app/server.js'\n  ]\n}\n\nNode.js v24.21.0\n",
    "Error: Cannot find module 'express'",
  ],
  [
    "npm ci with a lock file of another time",
    "npm error code EUSAGE\nnpm error\nnpm error `npm ci` can only install packages when …\nnpm error\n" +
      "npm error Missing: left-pad@1.3.0 from lock file\nnpm error\nnpm error Clean install a project\nnpm error\nnpm error Usage:\n" +
      "npm error npm ci\nnpm error\nnpm error Options:\nnpm error [--install-strategy <hoisted>] [-w|--workspace <name>]\nnpm error\n" +
      'npm error aliases: clean-install, ic\nnpm error\nnpm error Run "npm help ci" for more info\n' +
      "npm error A complete log of this run can be found in: /home/x.log\nThe install ended with exit code 1.\n",
    "npm error Missing: left-pad@1.3.0 from lock file",
  ],
  [
    "a package that does not exist",
    "npm error code ETARGET\nnpm error notarget No matching version found for ms@^99.\n" +
      "npm error notarget In most cases you or one of your dependencies are requesting\n" +
      "npm error notarget a package version that doesn't exist.\nnpm error A complete log of this run can be found in: /x\n",
    "npm error notarget No matching version found for ms@^99.",
  ],
  [
    "a build that pnpm runs",
    "src/a.ts(1,7): error TS2322: Type 'string' is no number.\n ELIFECYCLE  Command failed with exit code 2.\nThe build ended with exit code 2.\n",
    "src/a.ts(1,7): error TS2322: Type 'string' is no number.",
  ],
  [
    "a build that yarn runs",
    "✘ Could not resolve ./x\nerror Command failed with exit code 1.\ninfo Visit https://yarnpkg.com/run for documentation about this command.\n",
    "✘ Could not resolve ./x",
  ],
  [
    "Create React App with its warnings, which come after the reason",
    "Creating an optimized production build...\n\nTreating warnings as errors because process.env.CI = true.\nMost CI servers set it automatically.\n\n" +
      "Failed to compile.\n\n[eslint] \nsrc/Cart.js\n  Line 12:10:  'total' is assigned a value but never used  no-unused-vars\n\n\n",
    "Treating warnings as errors because process.env.CI = true.",
  ],
  [
    "ESLint",
    "/srv/app/src/a.js\n  3:7   warning  Unexpected console statement  no-console\n  7:12  error    'total' is not defined  no-undef\n\n" +
      "✖ 2 problems (1 error, 1 warning)\n",
    "7:12  error    'total' is not defined  no-undef",
  ],
  [
    "a lock file of another pnpm",
    "Lockfile is up to date\n ERR_PNPM_LOCKFILE_BREAKING_CHANGE  Lockfile /srv/app/pnpm-lock.yaml not compatible with current pnpm\n\n" +
      "Run with the --force parameter to recreate the lockfile.\n",
    "ERR_PNPM_LOCKFILE_BREAKING_CHANGE  Lockfile /srv/app/pnpm-lock.yaml not compatible with current pnpm",
  ],
  [
    "a frozen lock file of pnpm",
    ' ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile" because pnpm-lock.yaml is not up to date with <ROOT>/package.json\n\n' +
      'Note that in CI environments this setting is true by default. If you still need to run install in such cases, use "pnpm install --no-frozen-lockfile"\n\n' +
      "  Failure reason:\n  specifiers in the lockfile don't match specifiers in package.json:\n* 1 dependencies were added: ms@2.1.3\n",
    'ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile" because pnpm-lock.yaml is not up to date with <ROOT>/package.json',
  ],
  [
    "a signature that pnpm cannot verify",
    " ERROR  Refusing to run pnpm@11.0.0: its signature could not be verified.\nThis can indicate a tampered download. Set `x` to `false` to skip this.\n",
    "ERROR  Refusing to run pnpm@11.0.0: its signature could not be verified.",
  ],
  [
    "a frozen lock file of yarn",
    "yarn install v1.22.22\n[1/4] Resolving packages...\nerror Your lockfile needs to be updated, but yarn was run with `--frozen-lockfile`.\n" +
      "info Visit https://yarnpkg.com/en/docs/cli/install for documentation about this command.\n",
    "error Your lockfile needs to be updated, but yarn was run with `--frozen-lockfile`.",
  ],
  [
    "a frozen lock file of a newer yarn",
    '➤ YN0000: ┌ Post-resolution validation\n➤ YN0028: │ @@ -5,6 +5,7 @@\n➤ YN0028: │ +    ms: "npm:2.1.3"\n' +
      "➤ YN0028: │ The lockfile would have been modified by this install, which is explicitly forbidden.\n➤ YN0000: └ Completed\n" +
      "➤ YN0000: · Failed with errors in 0s 120ms\n",
    "➤ YN0028: │ The lockfile would have been modified by this install, which is explicitly forbidden.",
  ],
  [
    "a registry that a newer yarn does not reach",
    "➤ YN0000: ┌ Fetch step\n➤ YN0013: │ 2 packages were added to the project\n➤ YN0001: │ RequestError: getaddrinfo ENOTFOUND registry.test\n" +
      "➤ YN0000: └ Completed in 1s\n➤ YN0000: · Failed with errors in 1s 200ms\n",
    "➤ YN0001: │ RequestError: getaddrinfo ENOTFOUND registry.test",
  ],
  [
    "a frozen lock file of bun",
    "bun install v1.4.5\nResolving dependencies\nerror: lockfile had changes, but lockfile is frozen\nnote: try re-running without --frozen-lockfile and commit the updated lockfile\n",
    "error: lockfile had changes, but lockfile is frozen",
  ],
  [
    "a script that bun does not find its way through",
    'error: Could not resolve: "left-pad"\nerror: script "build" exited with code 1\n',
    'error: Could not resolve: "left-pad"',
  ],
  [
    "packages that do not fit each other",
    "npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree\nnpm error\nnpm error While resolving: shop@1.0.0\n" +
      'npm error Found: react@19.0.0\nnpm error node_modules/react\nnpm error   react@"^19.0.0" from the root project\nnpm error\n' +
      'npm error Could not resolve dependency:\nnpm error peer react@"^17.0.0" from react-slider@2.0.0\nnpm error node_modules/react-slider\n' +
      "npm error Fix the upstream dependency conflict, or retry\nnpm error this command with --force or --legacy-peer-deps\n" +
      "npm error to accept an incorrect (and potentially broken) dependency resolution.\nnpm error A complete log of this run can be found in: /x\n",
    'npm error ERESOLVE unable to resolve dependency tree: peer react@"^17.0.0" from react-slider@2.0.0',
    "announced",
  ],
  [
    "a version of Node that a package refuses",
    "npm error code EBADENGINE\nnpm error engine Unsupported engine\nnpm error engine Not compatible with your version of node/npm: shop@1.0.0\n" +
      'npm error notsup Required: {"node":">=99"}\n',
    "npm error engine Not compatible with your version of node/npm: shop@1.0.0",
  ],
  [
    "a script that is missing",
    'npm error Missing script: "build"\nnpm error\nnpm error To see a list of scripts, run:\nnpm error   npm run\nnpm error A complete log of this run can be found in: /x\n',
    'npm error Missing script: "build"',
  ],
  [
    "a command that is missing",
    "\n> shop@1.0.0 build\n> vite build\n\nsh: 1: vite: not found\n",
    "sh: 1: vite: not found",
  ],
  [
    "Next.js that cannot fetch a font",
    "   Creating an optimized production build ...\nFailed to compile.\n\napp/layout.tsx\n`next/font` error:\nFailed to fetch `Space Grotesk` from Google Fonts.\n\n\n" +
      "> Build failed because of webpack errors\n",
    "Failed to fetch `Space Grotesk` from Google Fonts.",
  ],
  [
    "Next.js that finds a wrong type",
    "Failed to compile.\n\n./src/app/page.tsx:3:9\nType error: Type 'string' is not assignable to type 'number'.\n\n  1 | x\n> 3 |   const a: number = 'b'\n    |         ^\n",
    "Type error: Type 'string' is not assignable to type 'number'.",
  ],
  [
    "Next.js that cannot make a page",
    'Error occurred prerendering page "/about". Read more: https://nextjs.org/docs/messages/prerender-error\n' +
      "ReferenceError: window is not defined\n    at a (x.js:1:1)\nExport encountered an error on /about/page: /about, exiting the build.\n",
    "ReferenceError: window is not defined",
  ],
  [
    "webpack",
    "ERROR in ./src/index.js 3:0-24\nModule not found: Error: Can't resolve './missing' in '/srv/app/src'\n\nwebpack 5.99.0 compiled with 1 error in 120 ms\n",
    "Module not found: Error: Can't resolve './missing' in '/srv/app/src'",
  ],
  [
    "an import that Vite does not find",
    "vite v7.0.0 building for production...\n✓ 12 modules transformed.\n✗ Build failed in 220ms\nerror during build:\n" +
      '[vite]: Rollup failed to resolve import "axios" from "/srv/app/src/main.js".\nThis is most likely unintended because it can break your application at runtime.\n' +
      "If you do want to externalize this module explicitly add it to\n`build.rollupOptions.external`\n    at viteWarn (file:///x.js:1:1)\n",
    '[vite]: Rollup failed to resolve import "axios" from "/srv/app/src/main.js".',
  ],
  [
    "a file that Vite cannot read",
    '✗ Build failed in 20ms\nerror during build:\n[vite:esbuild] Transform failed with 1 error:\n/srv/app/src/main.ts:3:0: ERROR: Unexpected "}"\nfile: /srv/app/src/main.ts:3:0\n',
    '/srv/app/src/main.ts:3:0: ERROR: Unexpected "}"',
    "announced",
  ],
  [
    "Angular",
    "✘ [ERROR] TS2339: Property 'total' does not exist on type 'Cart'. [plugin angular-compiler]\n\n    src/app/cart.ts:7:12:\n      7 │     this.total\n",
    "✘ [ERROR] TS2339: Property 'total' does not exist on type 'Cart'. [plugin angular-compiler]",
  ],
  [
    "Prisma without its database's address",
    "Prisma schema loaded from prisma/schema.prisma\nError: Prisma schema validation - (get-config wasm)\nError code: P1012\n" +
      'error: Environment variable not found: DATABASE_URL.\n  -->  prisma/schema.prisma:7\n   | \n 6 |   provider = "postgresql"\n 7 |   url      = env("DATABASE_URL")\n   | \n' +
      "\nValidation Error Count: 1\n[Context: getConfig]\n\nPrisma CLI Version : 6.0.0\n",
    "error: Environment variable not found: DATABASE_URL.",
  ],
  [
    "node-gyp without Python",
    "npm error code 1\nnpm error path /srv/app/node_modules/bcrypt\nnpm error command failed\nnpm error command sh -c node-gyp rebuild\n" +
      "npm error gyp info it worked if it ends with ok\nnpm error gyp info using node-gyp@11.0.0\nnpm error gyp ERR! find Python\n" +
      "npm error gyp ERR! find Python Python is not set from command line or npm configuration\nnpm error gyp ERR! find Python You need to install the latest version of Python.\n" +
      "npm error gyp ERR! configure error\nnpm error gyp ERR! stack Error: Could not find any Python installation to use\n" +
      "npm error gyp ERR! stack     at PythonFinder.fail (/x/find-python.js:306:11)\nnpm error gyp ERR! System Linux 6.1.0\nnpm error gyp ERR! node -v v24.21.0\nnpm error gyp ERR! not ok\n",
    "npm error gyp ERR! stack Error: Could not find any Python installation to use",
  ],
  [
    "Composer that reaches no server",
    "\nIn CurlDownloader.php line 365:\n                                                                       \n" +
      "  curl error 6 while downloading https://host.test/packages.json: Could not resolve host: host.test\n\n\ninstall [--prefer-source] [--prefer-dist] [--] [<packages>...]\n\n",
    "curl error 6 while downloading https://host.test/packages.json: Could not resolve host: host.test",
    "announced",
  ],
  [
    "Composer without an extension",
    "Your lock file does not contain a compatible set of packages. Please run composer update.\n\n  Problem 1\n" +
      "    - Root composer.json requires PHP extension ext-imagick * but it is missing from your system. Install or enable PHP's imagick extension.\n\n" +
      "To enable extensions, verify that they are enabled in your .ini files:\n    - /etc/php/8.2/cli/php.ini\n",
    "- Root composer.json requires PHP extension ext-imagick * but it is missing from your system. Install or enable PHP's imagick extension.",
  ],
  [
    "Composer without memory",
    "Loading composer repositories with package information\nPHP Fatal error:  Allowed memory size of 1610612736 bytes exhausted (tried to allocate 4096 bytes) in phar:///usr/bin/composer/src/x.php on line 424\n\n" +
      "Check https://getcomposer.org/doc/articles/troubleshooting.md#memory-limit-errors for more info on how to handle out of memory errors.\n",
    "PHP Fatal error:  Allowed memory size of 1610612736 bytes exhausted (tried to allocate 4096 bytes) in phar:///usr/bin/composer/src/x.php on line 424",
  ],
  [
    "PHP",
    'PHP Fatal error:  Uncaught Error: Class "App\\Cart" not found in /srv/app/bin/seed.php:7\nStack trace:\n#0 {main}\n  thrown in /srv/app/bin/seed.php on line 7\n',
    'PHP Fatal error:  Uncaught Error: Class "App\\Cart" not found in /srv/app/bin/seed.php:7',
  ],
  [
    "Laravel without its database",
    "\n   Illuminate\\Database\\QueryException \n\n  SQLSTATE[HY000] [2002] Connection refused (Connection: mysql, SQL: select 1)\n\n" +
      "  at vendor/laravel/framework/src/Illuminate/Database/Connection.php:829\n    825▕ x\n  ➜ 829▕ throw new QueryException(\n\n      +39 vendor frames \n  40  artisan:13\n",
    "SQLSTATE[HY000] [2002] Connection refused (Connection: mysql, SQL: select 1)",
  ],
  [
    "an exception of Laravel",
    "\n   App\\Exceptions\\MissingKey \n\n  No application encryption key has been specified.\n\n  at vendor/x.php:42\n      +20 vendor frames \n",
    "No application encryption key has been specified.",
    "announced",
  ],
  [
    "Node without memory",
    "\n<--- Last few GCs --->\n\n[12:0x1] 9000 ms: Mark-Compact 2040 (2080) -> 2039 (2081) MB\n\n<--- JS stacktrace --->\n\n" +
      "FATAL ERROR: Ineffective mark-compacts near heap limit Allocation failed - JavaScript heap out of memory\n----- Native stack trace -----\n\n 1: 0xb8 node::OOMErrorHandler\nAborted\n",
    "FATAL ERROR: Ineffective mark-compacts near heap limit Allocation failed - JavaScript heap out of memory",
  ],
  [
    "a full disk",
    "npm error code ENOSPC\nnpm error syscall write\nnpm error errno -28\nnpm error nospc ENOSPC: no space left on device, write\nnpm error nospc There appears to be insufficient space on your system to finish.\n",
    "npm error nospc ENOSPC: no space left on device, write",
  ],
  [
    "a program that is not there at the start",
    'Error: Could not load the "sharp" module using the linux-x64 runtime\nPossible solutions:\n- Ensure optional dependencies can be installed:\n    npm install --include=optional sharp\n',
    'Error: Could not load the "sharp" module using the linux-x64 runtime',
  ],
  [
    "a module that is not there",
    "node:internal/modules/esm/resolve:275\n    throw new ERR_MODULE_NOT_FOUND(\n          ^\n\nError [ERR_MODULE_NOT_FOUND]: Cannot find package 'hono' imported from /srv/app/a.js\n" +
      "    at x (node:internal:1:1) {\n  code: 'ERR_MODULE_NOT_FOUND'\n}\n\nNode.js v24.21.0\n",
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'hono' imported from /srv/app/a.js",
  ],
  [
    "a port that is in use",
    "node:events:486\n      throw er; // Unhandled 'error' event\n      ^\n\nError: listen EADDRINUSE: address already in use :::3000\n    at Server.setupListenHandle (node:net:1:1)\n" +
      "Emitted 'error' event on Server instance at:\n    at emitErrorNT (node:net:1:1) {\n  code: 'EADDRINUSE',\n  errno: -98,\n  syscall: 'listen',\n  address: '::',\n  port: 3000\n}\n\nNode.js v24.21.0\n",
    "Error: listen EADDRINUSE: address already in use :::3000",
  ],
  [
    "a file that is no JavaScript",
    "/srv/app/server.js:3\nconst = 1;\n      ^\n\nSyntaxError: Unexpected token '='\n    at wrapSafe (node:internal:1:1)\n\nNode.js v24.21.0\n",
    "SyntaxError: Unexpected token '='",
  ],
  [
    "Python",
    'Traceback (most recent call last):\n  File "/srv/app/manage.py", line 11, in main\n    from django.core.management import execute_from_command_line\n' +
      "ModuleNotFoundError: No module named 'django'\n",
    "ModuleNotFoundError: No module named 'django'",
  ],
  [
    "Django",
    'Traceback (most recent call last):\n  File "/x/settings.py", line 3, in <module>\n    raise ImproperlyConfigured("x")\n' +
      "django.core.exceptions.ImproperlyConfigured: The SECRET_KEY setting must not be empty.\n",
    "django.core.exceptions.ImproperlyConfigured: The SECRET_KEY setting must not be empty.",
  ],
  [
    "variables that are missing, in a list",
    "> build\nError: These variables are missing:\n  STRIPE_KEY\n  MAIL_FROM\n",
    "Error: These variables are missing: STRIPE_KEY",
    "announced",
  ],
];

describe("the reason of a failure", () => {
  for (const [what, output, reason, announced] of outputs) {
    it(`is the line that states it: ${what}`, () => {
      assert.equal(reasonIn(output), reason);
      if (!announced) assert.equal(byGrep(output), reason, "grep finds the same");
    });
  }

  it("is the last line that is no noise, where none looks like an error", () => {
    assert.equal(
      reasonIn("building\nthe sources of two packages clash\nnpm notice\n"),
      "the sources of two packages clash",
    );
  });

  it("has no colours, and nothing that was overwritten", () => {
    assert.equal(reasonIn("10 %\r50 %\r\u001b[31mNo space left\u001b[0m\n"), "No space left");
    assert.equal(reasonIn("\u001b[31m ERROR \u001b[39m Cannot start\nmore\n"), "ERROR  Cannot start");
  });

  it("is kept to a length, and found in time in lines that programs print without end", () => {
    assert.equal(reasonIn(`Error: ${"x".repeat(30_000)}\n`)?.length, 500);
    const began = performance.now();
    for (const part of ["a", "a ", "a.", "A\\", " ", "1:", "sh: ", ": "]) reasonIn(part.repeat(32_000 / part.length));
    assert.ok(performance.now() - began < 2_000);
  });

  it("is nothing where nothing is stated", () => {
    assert.equal(reasonIn("\nnpm notice\nThe build ended with exit code 1.\n"), undefined);
    assert.equal(reasonIn(""), undefined);
  });
});

describe("the explanation of a failure", () => {
  it("ends with what to do, where that is known", () => {
    for (const [output, remedy] of [
      ["Treating warnings as errors because process.env.CI = true.\n", /^Treating .* = true\. .*CI=false/],
      [
        "npm error Missing: ms@2.1.3 from lock file\n",
        /from lock file\. Run npm install, and commit package-lock\.json\.$/,
      ],
      ["Error: Cannot find module 'express'\n", /'express'\. Add it to the dependencies/],
      ["Error: Cannot find module './Cart'\n", /'\.\/Cart'\. .*upper and lower case/],
      ["Error: listen EADDRINUSE: address already in use :::3000\n", /environment variable PORT/],
    ] as const) {
      assert.match(explain(output, 1) ?? "", remedy);
    }
    assert.equal(explain("Error: The till is stuck\n", 1), "Error: The till is stuck");
  });

  it("names the memory where a program was killed", () => {
    assert.match(explain("", 137) ?? "", /^A program was killed, most probably for lack of memory/);
    assert.match(explain("compiling\n", 137) ?? "", /^compiling\. A program was killed/);
    assert.match(explain("compiling\nnpm error signal SIGKILL\n", 1) ?? "", /^compiling\. A program was killed/);
    assert.equal(explain("compiling\n", 1), "compiling");
    assert.equal(explain("", 1), undefined);
  });

  it("knows patterns that bash reads, too", () => {
    for (const [mark] of remedies) {
      const { status, stderr } = spawnSync("bash", ["-c", '[[ "" =~ $1 ]]', "bash", mark], { encoding: "utf8" });
      assert.equal(status, 1, `${mark}: ${stderr}`);
    }
  });
});

/** The reason as servers find it, in outputs without lines that announce it. */
function byGrep(output: string): string {
  const grep = (input: string, ...options: string[]) => spawnSync("grep", options, { input, encoding: "utf8" }).stdout;
  const lines = grep(output, "-avE", noise);
  const found = marks.map((mark) => grep(lines, "-aEm1", "-e", mark)).find((line) => line !== "");
  return (found ?? lines.trim().split("\n").at(-1) ?? "").trim();
}
