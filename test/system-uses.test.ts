import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

// The unit of the service takes rights away from the control plane. Each use that the source makes of the operating system is listed
// here with the test that exercises it inside of that unit, so that no line of the unit can break a feature unseen.

const root = join(import.meta.dirname, "..");

/** The tests inside of the unit: its features, and those of a machine that is panel and server. */
const exercises = ["test/e2e/service-features.e2e.test.ts", "test/e2e/own-machine.e2e.test.ts"];

/** The names of those tests. */
const steps = {
  start: "starts, answers and is confined",
  setUp: "makes the first account with the code of its installation, and signs it in",
  console: "serves the web console and the documentation of the API",
  addresses: "refuses its own addresses as servers",
  server: "adds a server over SSH and sets it up",
  gitHost: "deploys a private repository over SSH, and again when its host reports a push",
  domain: "checks where a domain points, and issues a certificate",
  catalog: "installs an application of the catalog",
  monitors: "checks sites over HTTP and TLS by their names in the DNS",
  notifications: "sends notifications by mail and to a webhook",
  cloud: "orders a server from a provider, moves a project there and back, and deletes it",
  metrics: "shows its metrics",
  restart: "restarts its PostgreSQL after that was killed",
  killed: "starts again after all of it was killed",
  releases: "looks for a newer release",
  https: "serves HTTPS of its own on the ports of browsers, with the operator's certificate",
  thisMachine: "is set up by the panel on it, which stays reachable",
  drain: "answers until it has drained, and ends in order",
} as const;

type Step = keyof typeof steps;

/** Each use as `file: use`. */
const uses: Record<string, Step> = {
  // Interfaces and accounts of this machine: netlink, /proc/net and the name service.
  "src/lib/addresses.ts: node:os networkInterfaces": "addresses",
  "src/lib/addresses.ts: path /proc/net/fib_trie": "addresses",
  "src/lib/addresses.ts: path /proc/net/if_inet6": "addresses",
  "src/db/embedded.ts: node:os userInfo": "start",
  "src/db/embedded.ts: path /etc/passwd": "start",
  "src/db/embedded.ts: process getuid": "start",
  "src/features/servers/this-machine.ts: path /etc/os-release": "thisMachine",
  // Memory of this machine.
  "src/db/embedded.ts: node:os totalmem": "start",
  "src/db/embedded.ts: process constrainedMemory": "start",
  // Programs: flock, and PostgreSQL's initdb and postgres through setpriv and, as root, unshare.
  "src/lib/lock.ts: node:child_process spawn": "start",
  "src/db/embedded.ts: node:child_process execFile": "start",
  "src/db/embedded.ts: node:child_process spawn": "restart",
  // Signals and processes: of the unit itself, and of a PostgreSQL that an earlier process left running.
  "src/up.ts: process on": "drain",
  "src/db/embedded.ts: process kill": "killed",
  "src/db/embedded.ts: path /proc": "killed",
  "src/db/embedded.ts: path /proc/": "killed",
  // Where a socket goes whose path in the data directory is too long. The unit's is not.
  "src/db/embedded.ts: node:os tmpdir": "start",
  "src/db/embedded.ts: path /run": "start",
  // Ports.
  "src/listening.ts: node:net createServer": "start",
  "src/http/app.ts: fastify Fastify": "start",
  "src/http/tls/edge.ts: node:net createServer": "https",
  "src/http/tls/edge.ts: node:tls createServer": "https",
  "src/http/tls/http2.ts: node:http2 createServer": "https",
  "src/http/tls/plain.ts: node:http createServer": "https",
  "src/http/metrics.ts: node:http createServer": "metrics",
  // Reads /proc/self.
  "src/http/metrics.ts: prom-client collectDefaultMetrics": "metrics",
  // Connections. With the database over a Unix socket; ssh2 and fetch bring WebAssembly, which needs memory that is written and run.
  "src/db/client.ts: pg pg": "start",
  "src/db/pool.ts: pg pg": "start",
  "src/features/sign-in/queries.ts: pg pg": "setUp",
  "src/engine/queue/queue.ts: pg-boss PgBoss": "server",
  "src/host/ssh/connect.ts: node:net Socket": "server",
  "src/host/ssh/connect.ts: ssh2 Client": "server",
  "src/host/ssh/key-pair.ts: ssh2 ssh2": "server",
  "src/providers/git/call.ts: fetch": "gitHost",
  "src/providers/cloud/call.ts: fetch": "cloud",
  "src/features/apps/versions.ts: fetch": "catalog",
  "src/service/upgrade/source.ts: fetch": "releases",
  // The cache of npm, where npm is the source.
  "src/service/upgrade/source.ts: node:os tmpdir": "releases",
  "src/providers/acme/http.ts: node:http Agent": "domain",
  "src/providers/acme/http.ts: node:http request": "domain",
  "src/providers/acme/http.ts: node:https Agent": "domain",
  "src/providers/acme/http.ts: node:https request": "domain",
  "src/features/certificates/preflight.ts: node:http get": "domain",
  "src/features/certificates/installation.ts: node:tls connect": "domain",
  "src/features/monitors/checks/client.ts: node:net connect": "monitors",
  "src/features/monitors/checks/client.ts: node:tls connect": "monitors",
  "src/lib/checked-request.ts: node:http request": "notifications",
  "src/lib/checked-request.ts: node:https request": "notifications",
  "src/providers/notify/email/send.ts: nodemailer": "notifications",
  // Names: the system's resolver with its files and threads, and DNS servers.
  "src/lib/checked-request.ts: node:dns/promises lookup": "notifications",
  "src/lib/dns.ts: node:dns/promises Resolver": "domain",
  "src/features/monitors/checks/resolver.ts: node:dns/promises Resolver": "monitors",
};

/** Files that read and write only below the data directory, with the first test that does. */
const inDataDirectory: Record<string, Step> = {
  "src/db/data-directory.ts": "start",
  "src/db/embedded.ts": "start",
  "src/lib/directory.ts": "start",
  "src/lib/lock.ts": "start",
  "src/lib/secrets.ts": "start",
  // The certificate of the site of nginx.
  "src/features/installation-certificates/web-server.ts": "thisMachine",
  "src/lib/replace-file.ts": "thisMachine",
  // In the unit: the cache of npm, in a /tmp of its own.
  "src/service/upgrade/source.ts": "releases",
};

/** Files that read only what belongs to the program or the operator named in a setting, with the first test that does. */
const readOnly: Record<string, Step> = {
  "src/db/migrate.ts": "start",
  "src/lib/program.ts": "start",
  "src/lib/version.ts": "start",
  "src/lib/addresses.ts": "addresses",
  "src/lib/disk.ts": "start",
  "src/http/console.ts": "console",
  "src/http/console-build.ts": "console",
  "src/http/reference/page.ts": "console",
  "src/features/status-pages/render.ts": "monitors",
  "src/http/tls/own-files.ts": "https",
  // The key of this machine, in the data directory, and the name of its system.
  "src/features/servers/connections.ts": "thisMachine",
  "src/features/servers/this-machine.ts": "thisMachine",
  // LONGSHORE_ACME_TRUST_FILE.
  "src/features/certificates/authority/account.ts": "domain",
  "src/host/script-file.ts": "server",
  "src/host/runner/runner.ts": "server",
  "src/host/nginx/access.ts": "server",
  "src/host/nginx/balancer-health.ts": "server",
  "src/host/nginx/markdown.ts": "server",
  "src/host/nginx/shared.ts": "server",
  "src/host/node/choose-node.ts": "server",
  "src/host/node/release-node.ts": "server",
  "src/host/php/choose-php.ts": "server",
  "src/host/php/release-php.ts": "server",
};

/** Files, and folders with a slash at the end, whose code does not run in the unit, each with where it does. */
const elsewhere: Record<string, string> = {
  "src/admin.ts": "a command beside the unit",
  "src/service/": "commands of root beside the unit",
  "src/config-docs.ts": "a tool of developers",
  "src/host/nginx/access-files.ts": "sent to managed servers",
  "src/host/nginx/markdown/": "sent to managed servers",
};

/** The packages that use the operating system, and those that do not. A new one has to be classified. */
const systemPackages = ["fastify", "nodemailer", "pg", "pg-boss", "prom-client", "ssh2"];
const plainPackages = [
  ...["@better-auth/passkey", "@modelcontextprotocol/server", "aws4fetch", "better-auth", "cli-table3", "commander"],
  ...[
    "eventsource-parser",
    "fast-json-stringify",
    "fast-xml-parser",
    "picocolors",
    "pino",
    "sql-template-tag",
    "typebox",
  ],
];

// Finding uses -----------------------------------------------------------------------------------------------------------

const plainModules =
  /^node:(?:assert|async_hooks|buffer|crypto|events|path|perf_hooks|stream|string_decoder|timers|url|util|zlib)\b/;
const fileModules = /^node:fs\b/;

/** What these modules offer besides: constants, and functions that only calculate. */
const plainNames = new Set([
  ...["node:net isIP", "node:net isIPv4", "node:net isIPv6", "node:net BlockList"],
  "node:http2 constants",
  ...["node:tls rootCertificates", "node:tls createSecureContext", "node:module createRequire"],
  ...[
    "pg DatabaseError",
    "fastify LogController",
    "prom-client Gauge",
    "prom-client Histogram",
    "prom-client Registry",
  ],
]);

/** The members of `process` for which no unit takes a right away. */
const plainMembers = new Set(["arch", "argv", "env", "exit", "exitCode", "pid", "stderr", "stdout"]);

/** Names of node:fs that change nothing; `open` reads where no second argument is given. */
const readingNames = new Set([
  "constants",
  "existsSync",
  "open",
  "readFile",
  "readFileSync",
  "readdir",
  "stat",
  "statfs",
]);

interface Source {
  file: string;
  text: string;
}

const packageOf = (module: string): string => module.split("/", module.startsWith("@") ? 2 : 1).join("/");

const isSystemModule = (module: string): boolean =>
  module.startsWith("node:") ? !plainModules.test(module) : systemPackages.includes(packageOf(module));

/** The values that a file imports, as `module name`; a module that is loaded later only by its name. */
function importsOf({ text }: Source): { module: string; name: string }[] {
  const declared = [...text.matchAll(/^(?:import|export) (?!type )([^;"]*?) from "([^"]+)";/gm)];
  const named = declared.flatMap(([, names = "", module = ""]) =>
    names
      .replace(/[{}]/g, ",")
      .split(",")
      .map((name) => name.trim().split(" as ")[0] ?? "")
      .filter((name) => name !== "" && !name.startsWith("type "))
      .map((name) => ({ module, name })),
  );
  const later = [...text.matchAll(/\bimport\("([^"]+)"\)/g)].map(([, module = ""]) => ({ module, name: "" }));
  return [...named, ...later].filter(({ module }) => isSystemModule(module));
}

/** Absolute paths in a file that uses the file system. Those of src/host are on managed servers. */
function pathsOf(source: Source): string[] {
  if (source.file.startsWith("src/host/") || fileNamesOf(source).length === 0) return [];
  const places = /["'`](\/(?:dev|etc|home|proc|root|run|sys|tmp|usr|var)\b[^"'`$]*)/g;
  return [...source.text.matchAll(places)].map(([, path = ""]) => `path ${path}`);
}

function usesOf(source: Source): string[] {
  const { text } = source;
  const imported = importsOf(source)
    .filter(({ module }) => !fileModules.test(module))
    .map(({ module, name }) => `${module} ${name}`.trim());
  const members = [...text.matchAll(/(?<![\w./"'`-])process\.(\w+)/g)].map(([, member = ""]) => member);
  const processes = members.filter((member) => !plainMembers.has(member)).map((member) => `process ${member}`);
  const requests = /(?<![\w.])fetch\(|\?\? fetch\b/.test(text) ? ["fetch"] : [];
  const workers = /WebAssembly|new SharedArrayBuffer/.test(text) ? ["WebAssembly"] : [];
  return [...new Set([...imported, ...processes, ...requests, ...workers, ...pathsOf(source)])].filter(
    (use) => !plainNames.has(use),
  );
}

/** Names of node:fs that a file imports. */
const fileNamesOf = (source: Source): string[] =>
  importsOf(source)
    .filter(({ module }) => fileModules.test(module))
    .map(({ name }) => name);

const mayWrite = (source: Source): boolean => fileNamesOf(source).some((name) => !readingNames.has(name));

/** Files of such folders whose code runs in the unit all the same. */
const inUnit = ["src/service/upgrade/newer.ts", "src/service/upgrade/source.ts"];

const isElsewhere = (file: string): boolean =>
  !inUnit.includes(file) &&
  Object.keys(elsewhere).some((path) => file === path || (path.endsWith("/") && file.startsWith(path)));

const isOfProgram = (file: string): boolean => !/(^|\/)tests?\//.test(file) && !isElsewhere(file);

const sources: Source[] = globSync("src/**/*.ts", { cwd: root })
  .filter(isOfProgram)
  .sort()
  .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));

const found = sources.flatMap((source) => usesOf(source).map((use) => `${source.file}: ${use}`));

const difference = (some: readonly string[], others: readonly string[]): string[] =>
  some.filter((each) => !others.includes(each));

const filesOf = (table: object): string[] => Object.keys(table);

const usingFiles = sources.filter((source) => fileNamesOf(source).length > 0);

describe("what the control plane uses of the operating system", () => {
  it("is listed here, each with the test that exercises it in the unit", () => {
    assert.deepEqual(
      difference(found, Object.keys(uses)),
      [],
      `The source uses the operating system in a new way. Add it to the list in this file, with the test in ${exercises.join(" or ")} that exercises it.`,
    );
    assert.deepEqual(difference(Object.keys(uses), found), [], "These uses are gone. Remove them from the list.");
  });

  it("includes files only below the data directory, or to read what belongs to the program", () => {
    const listed = [inDataDirectory, readOnly].flatMap(filesOf);
    const using = usingFiles.map(({ file }) => file);
    assert.deepEqual(
      difference(using, listed),
      [],
      "These files use the file system. List where, and who exercises it.",
    );
    assert.deepEqual(difference(listed, using), [], "These files use the file system no longer. Remove them.");
    const writing = usingFiles.filter(({ file }) => file in readOnly).filter(mayWrite);
    assert.deepEqual(
      writing.map(({ file }) => file),
      [],
      "These files may write outside of the data directory, where ProtectSystem=strict forbids it.",
    );
  });

  it("includes what packages do, each of which is known to use it or not to", () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { dependencies: object };
    assert.deepEqual(Object.keys(dependencies).sort(), [...systemPackages, ...plainPackages].sort());
  });

  it("is exercised by tests that exist, and code that does not run in the unit exists too", () => {
    const tests = exercises.map((file) => readFileSync(join(root, file), "utf8")).join("\n");
    assert.deepEqual(
      Object.values(steps).filter((name) => !tests.includes(`it("${name}"`)),
      [],
      `There is no such test in ${exercises.join(" or ")}.`,
    );
    const used = new Set([uses, inDataDirectory, readOnly].flatMap((table) => Object.values(table)));
    assert.deepEqual(difference(Object.keys(steps), [...used]), []);
    const away = Object.keys(elsewhere).filter(
      (path) => !globSync(path.endsWith("/") ? `${path}*` : path, { cwd: root }).length,
    );
    assert.deepEqual(away, []);
  });
});

describe("the search for uses", () => {
  const usesIn = (text: string): string[] => usesOf({ file: "src/lib/example.ts", text });

  it("finds modules, packages, members of process, requests and paths", () => {
    assert.deepEqual(usesIn('import { cpus, type CpuInfo } from "node:os";\n'), ["node:os cpus"]);
    assert.deepEqual(usesIn('import {\n  createSocket as open,\n} from "node:dgram";\n'), ["node:dgram createSocket"]);
    assert.deepEqual(usesIn('import ssh2 from "ssh2";\n'), ["ssh2 ssh2"]);
    assert.deepEqual(usesIn('const { Worker } = await import("node:worker_threads");\n'), ["node:worker_threads"]);
    assert.deepEqual(usesIn("process.setuid(1); console.log(process.pid);\n"), ["process setuid"]);
    assert.deepEqual(usesIn("await fetch(url);\n"), ["fetch"]);
    assert.deepEqual(usesIn('import { readFile } from "node:fs/promises";\nreadFile("/etc/hosts");\n'), [
      "path /etc/hosts",
    ]);
  });

  it("leaves out types, calculations and words in texts", () => {
    assert.deepEqual(usesIn('import type { Socket } from "node:net";\nimport { isIP } from "node:net";\n'), []);
    assert.deepEqual(usesIn('const steps = ["./process.sh", "process.crash"]; // fetch\n'), []);
  });

  it("knows which names write", () => {
    const text = 'import { readFile, writeFile } from "node:fs/promises";\n';
    assert.ok(mayWrite({ file: "src/lib/example.ts", text }));
    assert.ok(!mayWrite({ file: "src/lib/example.ts", text: text.replace(", writeFile", "") }));
  });
});
