import assert from "node:assert/strict";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { describe, it } from "node:test";
import { features } from "../src/features.ts";

// Which parts of the repository may depend on each other. Each rule is a function from the source to sentences about
// its violations, so that the rules themselves are tested below, on files that violate them on purpose.

/** One `import` or `export … from` of a file inside the repository. */
interface Import {
  file: string;
  target: string;
  isTypeOnly: boolean;
}

type Sources = ReadonlyMap<string, string>;

// What may be imported ---------------------------------------------------------------------------------------------------

/** Maps each kernel to the kernels below it. A file outside of this table is wiring, which may import everything. */
const kernels: Record<string, readonly string[]> = {
  lib: [],
  // The tables of settings, of which config.ts makes one.
  settings: ["lib"],
  db: ["lib"],
  host: ["lib"],
  providers: ["lib"],
  engine: ["host", "db", "lib"],
  http: ["db", "lib"],
  // What the commands print on a terminal.
  cli: ["lib"],
  // The installed service of a machine: `longshore service`.
  service: ["cli", "db", "host", "lib"],
};

/** The API evaluates the conditions of its capability tables with the code that it publishes for clients. */
const publishedRules = "contract/capability-rules.ts";

const featureOrder = features.map((feature) => feature.name);

/** The files of each feature that later features may import. */
const publicFiles = ["schema", "queries", "actions", "service", "capabilities", "hooks"];

/**
 * Additional public files of a folder, each with a reason. Only `features.ts` may import routes and jobs, and all other
 * files in a folder are private.
 */
const published: Record<string, readonly string[]> = {
  // reach: the one place that decides what an actor can see; every query uses its conditions. authenticator: finds the owner of a
  // credential before there is an actor. tokens: creates secrets that are shown once. sessions: signs in an account that was just made.
  // watch: an endless answer checks again whether it may continue.
  accounts: ["reach", "authenticator", "sessions", "tokens", "watch"],
  // A client of /mcp learns there where it gets a token.
  "sign-in": ["oauth/schema"],
  // The log of a record is followed by the events about it.
  events: ["log-stream", "wait"],
  // A move must not leave a database behind that the project's environment names.
  databases: ["named"],
  // Plans are made of the project in the form for plans, and its preparation begins with its user, folders and processes. A feature
  // that reads a log of a project masks the same values in it, and follows it the same way. Code that takes a project off a server
  // removes what it left there. Deployments default to the initial settings of a project, and a catalog application has its own. An
  // overview counts projects by the states that their records show.
  projects: [
    "events",
    "live-log",
    "logs",
    "on-server",
    "plans",
    "removal",
    "settings/schema",
    "states/queries",
    "states/schema",
  ],
  // A change of names claims them like a new project does.
  "site-records": ["names"],
  // A deployment begins with the steps that prepare the project, its site among them, and a certificate is installed with the site.
  // A run that prepares or publishes a project records what its server serves at its end. Code that changes a site asks for its
  // publication, on the load balancer too, and has the certificate checked. A move leaves a server that forwards visitors.
  sites: [
    ...["front", "plans", "steps", "secrets", "preparation", "publish", "target"],
    ...["forwarding", "ssl", "certificate-queue"],
  ],
  // The certificate of the installation itself is ordered with the same account, under the same limits, and renewed by the same rule.
  certificates: ["authority/account", "authority/quota", "authority/renewal"],
  // A deployment restarts the jobs that run its code, and a move transfers them.
  jobs: ["plans", "targets"],
  // A project and its deployments update the git host, fetch from the address it returns, and accept the reports of its
  // webhooks. The choice of a repository is checked against the reach of the member, and its files are read for a proposal.
  sources: ["confirmation", "files", "hosts", "source", "webhook"],
  // The steps that make a deployment live also make a catalog application live; a monitor that goes down right after a deployment
  // rolls it back; a server that is taken out of a load balancer loses what is queued for it. A move builds with the source and the
  // secrets of a deployment, reports its progress and its end like one, checks what the application has written, records the disk
  // usage of its release, and takes along what is queued.
  deployments: [
    "plans",
    "automatic-rollback",
    "rolling",
    "planning",
    "progress",
    "ending",
    "steps/written",
    "steps/disk",
    "ending/queries",
    "queue/queries",
  ],
  // A catalog application keeps its downloads where a move copies them from.
  moves: ["apps"],
  // A move authorizes one server on another with a separate key. Code that frees a slot of a server triggers a check of
  // its queue. A server whose machine was ordered is connected to as soon as that has booted, with the same rules for addresses,
  // and its setup begins; a resize announces the change and checks whether the server came back. What is ordered is in the request
  // for the server, and its record shows the machine.
  servers: [
    ...[
      "access",
      "connecting/queries",
      "connections",
      "dispatch",
      "events",
      "ordered/queries",
      "requests",
      "setup/run",
    ],
    "unreachable",
  ],
};

/** config.ts reads the settings. This file passes its own PATH on to PostgreSQL's programs, which is not a setting. */
const passesEnvironmentOn = ["src/db/embedded.ts"];

/** Reads of later features' tables that are left, each with its reason. The list only gets shorter. */
const remainingReads: Record<string, string> = {
  "projects reads certificates": "a site is rendered with its certificate, which every query of a project brings along",
  "projects reads process_watches":
    "a hook for the crash loops in a project's record would be a second query per request",
  "servers reads server_providers":
    "a server's record names its connection unless that belongs to another organization: a hook would be a second query per request",
};

const clients = ["console", "cli", "mcp"];

/**
 * What the folders around the product may import of each other. Demo, benchmarks and tests do not know one another: what they
 * share is in the stage. Benchmarks and tests also look into the product, and build the console.
 */
const tools: Record<string, readonly string[]> = {
  sandbox: [],
  stage: ["sandbox", "contract"],
  demo: ["stage", "sandbox", "contract"],
  bench: ["stage", "sandbox", "contract", "src", "tools"],
  test: ["stage", "sandbox", "contract", "src", "tools", "cli"],
};

/** The stage instruments the runner on a server, for which it needs its path. */
const ofProduct = ["src/host/runner/runner.ts"];

// Reading the source -----------------------------------------------------------------------------------------------------

const root = join(import.meta.dirname, "..");

const isTest = (file: string): boolean => /(^|\/)tests?\//.test(file) || file.endsWith(".test.ts");

/** The sample projects and applications are other people's. */
const isSample = (file: string): boolean => /^stage\/(?:samples|applications\/[^/]+)\//.test(file);

// It quotes imports.
const self = "test/architecture.test.ts";

/** Every file that is ours, with those of the tests. */
function readSources(): Sources {
  const folders = ["src", ...clients, "tools", ...Object.keys(tools)].map((folder) => `${folder}/**/*.{ts,tsx}`);
  const files = globSync(folders, { cwd: root, exclude: (name) => name === "node_modules" });
  const ours = files.filter((file) => !isSample(file) && file !== self);
  return new Map(ours.map((file) => [file, readFileSync(join(root, file), "utf8")]));
}

const productOf = (sources: Sources): Sources => {
  const isProduct = (file: string) => ["src", ...clients].includes(folderOf(file)) && !isTest(file);
  return new Map([...sources].filter(([file]) => isProduct(file)));
};

const staticImport = /^(?:import|export)\s+(type\s)?(?:[^;"']*?\sfrom\s+)?"(\.[^"]*)"/gm;
const dynamicImport = /\bimport\(\s*"(\.[^"]*)"\s*\)/g;

function importsOf(file: string, text: string): Import[] {
  const target = (path: string) => posix.join(dirname(file), path);
  return [
    ...[...text.matchAll(staticImport)].map(([, type, path = ""]) => ({
      file,
      target: target(path),
      isTypeOnly: type !== undefined,
    })),
    ...[...text.matchAll(dynamicImport)].map(([, path = ""]) => ({ file, target: target(path), isTypeOnly: false })),
  ];
}

const allImports = (sources: Sources): Import[] => [...sources].flatMap(([file, text]) => importsOf(file, text));

const folderOf = (file: string): string => file.split("/")[0] ?? "";

/** `src/engine/queue/worker.ts` belongs to `engine`; `src/up.ts` to none. */
const kernelOf = (file: string): string | undefined => {
  const [, kernel] = /^src\/([a-z-]+)\//.exec(file) ?? [];
  return kernel === "features" ? undefined : kernel;
};

const featureOf = (file: string): string | undefined => /^src\/features\/([a-z-]+)\//.exec(file)?.[1];

// The rules ----------------------------------------------------------------------------------------------------------------

function kernelImports(sources: Sources): string[] {
  return allImports(sources)
    .filter((each) => kernelOf(each.file) !== undefined && !isKernelImportAllowed(each))
    .map(({ file, target }) => `${file} imports ${target}: ${kernelOf(file)} may not import that.`);
}

function isKernelImportAllowed({ file, target, isTypeOnly }: Import): boolean {
  const from = kernelOf(file) ?? "";
  const below = kernels[from];
  if (below === undefined) return false;
  const to = kernelOf(target);
  if (to !== undefined) return to === from || below.includes(to);
  if (target === publishedRules) return from === "http";
  // The settings depend on lib alone. http receives what main.ts wires by its type.
  if (target === "src/config.ts") return from !== "lib";
  return target === "src/context.ts" && from === "http" && isTypeOnly;
}

function featureImports(sources: Sources): string[] {
  return allImports(sources).flatMap((each) => {
    const from = featureOf(each.file);
    if (from === undefined) return [];
    const complaint = complaintOf(each, from);
    return complaint ? [`${each.file} imports ${each.target}: ${complaint}`] : [];
  });
}

function complaintOf({ target, isTypeOnly }: Import, from: string): string | undefined {
  if (kernelOf(target) === "cli") return "a feature writes to no terminal.";
  if (kernelOf(target) !== undefined || target === "src/config.ts") return undefined;
  if (target === "src/context.ts") return isTypeOnly ? undefined : "the context is a type.";
  const to = featureOf(target);
  if (to === from) return undefined;
  if (to === undefined) return "a feature may import the kernels and earlier features, and nothing else.";
  if (featureOrder.indexOf(to) > featureOrder.indexOf(from)) return `${to} comes after ${from} in src/features.ts.`;
  const name = target.slice(`src/features/${to}/`.length).replace(/\.ts$/, "");
  if (publicFiles.includes(name) || published[to]?.includes(name)) return undefined;
  return `${to} does not publish its ${name}.`;
}

/** Only wiring imports the wiring, and no product code needs the tools around it. */
function strayImports(sources: Sources): string[] {
  const wiring = /^src\/[a-z-]+\.ts$/;
  const open = ["src/config.ts", "src/context.ts"];
  return allImports(sources)
    .filter(({ file, target }) => {
      if (!file.startsWith("src/")) return false;
      if (!target.startsWith("src/")) return target !== publishedRules;
      return wiring.test(target) && !wiring.test(file) && !open.includes(target);
    })
    .map(({ file, target }) => `${file} imports ${target}.`);
}

function clientImports(sources: Sources): string[] {
  const isClient = (file: string) => clients.includes(folderOf(file));
  return allImports(sources)
    .filter(({ file, target }) => isClient(file) && target.startsWith("src/"))
    .map(({ file, target }) => `${file} imports ${target}: clients may import the contract only.`);
}

function toolImports(sources: Sources): string[] {
  return allImports(sources)
    .filter(({ file, target }) => {
      const [from, to] = [folderOf(file), folderOf(target)];
      if (from === to || (from === "stage" && ofProduct.includes(target))) return false;
      return tools[from] ? !tools[from].includes(to) : ["demo", "bench"].includes(to);
    })
    .map(({ file, target }) => `${file} imports ${target}: ${folderOf(file)} may not import that.`);
}

/** Each circle as the files on it. Imports of types count: they show that a type stands above the files that use it. */
/** The table of addresses loads a page when it is opened, and pages may ask it which addresses exist. */
const loadsWhenOpened = ({ file, target }: Import): boolean =>
  file === "console/src/routes.tsx" && /\/page\.tsx$/.test(target);

function circles(sources: Sources): string[] {
  const loaded = allImports(sources).filter((each) => !loadsWhenOpened(each));
  const imports = Map.groupBy(loaded, ({ file }) => file);
  const done = new Set<string>();
  const found: string[] = [];
  const follow = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) found.push([...path.slice(path.indexOf(file)), file].join(" imports "));
    if (path.includes(file) || done.has(file)) return;
    for (const { target } of imports.get(file) ?? []) follow(target, [...path, file]);
    done.add(file);
  };
  for (const file of sources.keys()) follow(file, []);
  return found;
}

function environmentReads(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) => {
    if (!file.startsWith("src/") || passesEnvironmentOn.includes(file)) return [];
    const others = withoutComments(text).replaceAll("loadConfig(process.env", "");
    return /\bprocess\.env\b|\benv\b[^;]*from "node:process"/.test(others)
      ? [`${file} reads process.env: settings come from src/config.ts.`]
      : [];
  });
}

/** `reach.ts` builds conditions for the queries of other features, so it counts as a queries file. */
const mayHoldSql = (file: string): boolean =>
  /\/queries\.ts$/.test(file) || /^src\/(db|engine)\//.test(file) || file === "src/features/accounts/reach.ts";

function straySql(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) =>
    !mayHoldSql(file) && /\bsql`|\bsql\(|\.query\(/.test(withoutComments(text))
      ? [`${file} holds SQL: it belongs into queries.ts.`]
      : [],
  );
}

/** Each table of the migrations with the features and kernels that write it. */
function writersOf(sources: Sources): Map<string, Set<string>> {
  const writers = new Map<string, Set<string>>();
  for (const [file, text] of sources) {
    const part = featureOf(file) ?? kernelOf(file);
    if (part === undefined || !mayHoldSql(file)) continue;
    for (const [, table = ""] of text.matchAll(/\b(?:insert into|update|delete from)\s+([a-z_]+)\b/g)) {
      if (tables.has(table)) writers.set(table, (writers.get(table) ?? new Set()).add(part));
    }
  }
  return writers;
}

/** A reader of a table finds everything that writes it in one feature or kernel. */
const tablesOfSeveral = (sources: Sources): string[] =>
  [...writersOf(sources)].flatMap(([table, parts]) =>
    parts.size === 1 ? [] : [`${table} is written by ${[...parts].join(", ")}.`],
  );

/** Every record belongs to a server or a project: queries of all features join these for the reach, names and locks. */
const owners = ["servers", "projects", "placements"];

/** SQL of a feature that reads a table of a later one. A hook, or a query of the later feature, takes the place of such a read. */
function readsOfLater(sources: Sources): string[] {
  const writers = writersOf(sources);
  const found = [...sources].flatMap(([file, text]) => {
    const feature = featureOf(file);
    if (feature === undefined || !mayHoldSql(file)) return [];
    const isLater = (table: string) =>
      !owners.includes(table) &&
      [...(writers.get(table) ?? [])].some((part) => featureOrder.indexOf(part) > featureOrder.indexOf(feature));
    return readTables(text)
      .filter(isLater)
      .map((table) => `${feature} reads ${table}`);
  });
  return [...new Set(found)].toSorted();
}

/** The tables after `from`, `join` and `using`, and after the commas between them. */
const readTables = (text: string): string[] =>
  [
    ...withoutComments(text).matchAll(
      /\b(?:from|join|using)\s+(?=([a-z_]+(?:\s+[a-z_]+)?(?:,\s*[a-z_]+(?:\s+[a-z_]+)?)*))/g,
    ),
  ].flatMap(([, list = ""]) => list.split(",").map((each) => each.trim().split(/\s/)[0] ?? ""));

const tables = new Set(
  globSync("src/db/migrations/*.sql", { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/^create table ([a-z_]+)/gm)].map(([, table = ""]) => table),
  ),
);

/** If one of them fails, the others continue on a connection that has left the transaction. */
function unheldParts(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) =>
    file.startsWith("src/") &&
    file !== "src/db/transaction.ts" &&
    /Promise\.\w+\(\[[^\]]*\btx\b/.test(withoutComments(text))
      ? [`${file} asks a transaction with Promise.all: that is for \`pipelined\` (src/db/transaction.ts).`]
      : [],
  );
}

/** A file that only re-exports other files. */
function barrels(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) => {
    const statements = withoutComments(text)
      .split(/;\s*\n/)
      .map((statement) => statement.trim())
      .filter((statement) => statement !== "");
    const passesOn = (statement: string) => /^export\s+(type\s+)?(\*|\{[^}]*\}\s*from\b)/.test(statement);
    const isBarrel = statements.some((statement) => statement.startsWith("export *")) || statements.every(passesOn);
    return statements.length > 0 && isBarrel ? [`${file} is a barrel: import from where things are.`] : [];
  });
}

/** The linter refuses the type; silencing it is refused here, except in tests that inspect bodies of any shape. */
const silencedAny = (sources: Sources): string[] =>
  [...sources].flatMap(([file, text]) =>
    /biome-ignore(-all|-start)? lint\/suspicious\/noExplicitAny/.test(text) ? [`${file} uses the type any.`] : [],
  );

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");

type Rule = (sources: Sources) => string[];

/** For the product, without its tests. */
const productRules: Record<string, Rule> = {
  "kernels know only the kernels below them": kernelImports,
  "features import the kernels, and of earlier features what those publish": featureImports,
  "nothing but wiring imports the wiring or the tools": strayImports,
  "console, cli and mcp import nothing of src": clientImports,
  "settings are read in one place": environmentReads,
  "SQL is in queries.ts": straySql,
  "a transaction is asked for several things with `pipelined`": unheldParts,
  "there are no barrel files": barrels,
  "no file uses the type any": silencedAny,
};

const rules: Record<string, Rule> = {
  ...Object.fromEntries(
    Object.entries(productRules).map(([name, rule]): [string, Rule] => [name, (sources) => rule(productOf(sources))]),
  ),
  "demo, benchmarks and tests share the stage, and import nothing of each other": toolImports,
};

describe("architecture", () => {
  const sources = readSources();

  for (const [name, rule] of Object.entries(rules)) {
    it(name, () => assert.deepEqual(rule(sources), []));
  }

  it("each table is written by one feature or kernel", () => {
    const product = productOf(sources);
    assert.deepEqual(tablesOfSeveral(product), []);
    const more = new Map([...product, ["src/features/events/queries.ts", "sql`update placements set role = 'own'`"]]);
    assert.equal(tablesOfSeveral(more).length, 1);
  });

  it("SQL of a feature reads no table of a later one", () => {
    const product = productOf(sources);
    assert.deepEqual(readsOfLater(product), Object.keys(remainingReads).toSorted());
    const query = "select 1 from servers s, deployments d join moves using (id) where exists (select 1 from monitors)";
    const more = new Map([...product, ["src/features/sources/queries.ts", `sql\`${query}\``]]);
    const added = readsOfLater(more).filter((read) => !(read in remainingReads));
    assert.deepEqual(added, ["sources reads deployments", "sources reads monitors", "sources reads moves"]);
  });

  it("no files import each other in a circle", () => {
    assert.deepEqual(circles(sources), []);
  });

  it("every folder of src/features is in the table of contents", () => {
    const folders = readdirSync(join(root, "src/features"), { withFileTypes: true });
    const names = folders.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    assert.deepEqual(names.toSorted(), featureOrder.toSorted());
  });
});

describe("the rules themselves", () => {
  /** Each file violates the rule it stands under. */
  const breaking: Record<keyof typeof rules, Record<string, string>> = {
    "kernels know only the kernels below them": {
      "src/lib/a.ts": 'import { row } from "../db/sql.ts";',
      "src/lib/b.ts": 'import type { Config } from "../config.ts";',
      "src/db/a.ts": 'import {\n  one,\n  two,\n} from "../engine/queue.ts";',
      "src/host/a.ts": 'import { row } from "../db/sql.ts";',
      "src/http/a.ts": 'import "../engine/queue.ts";',
      "src/http/b.ts": 'export { a } from "../features/accounts/schema.ts";',
      "src/http/c.ts": 'import { context } from "../context.ts";',
      "src/engine/a.ts": 'const a = await import("../features/accounts/actions.ts");',
      "src/engine/b.ts": 'import type { RequestContext } from "../http/route.ts";',
      "src/providers/cloud/a.ts": 'import { row } from "../../db/sql.ts";',
      "src/other/a.ts": 'import { row } from "../db/sql.ts";',
    },
    "features import the kernels, and of earlier features what those publish": {
      "src/features/accounts/a.ts": 'import { findServer } from "../servers/queries.ts";',
      "src/features/servers/a.ts": 'import { accountRoutes } from "../accounts/routes.ts";',
      "src/features/servers/b.ts": 'import { routesOf } from "../../features.ts";',
      "src/features/deployments/steps/a.ts": 'import { step } from "../../projects/jobs.ts";',
      "src/features/deployments/b.ts": 'import { x } from "../../../test/database.ts";',
      "src/features/deployments/c.ts": 'import { openOutput } from "../../cli/output.ts";',
    },
    "nothing but wiring imports the wiring or the tools": {
      "src/http/a.ts": 'import { up } from "../up.ts";',
      "src/up.ts": 'import { upServer } from "../sandbox/sandbox.ts";',
    },
    "console, cli and mcp import nothing of src": {
      "cli/a.ts": 'import { errorStatus } from "../src/lib/errors.ts";',
      "console/pages/a.tsx": 'import type { Row } from "../../src/db/sql.ts";',
    },
    "demo, benchmarks and tests share the stage, and import nothing of each other": {
      "bench/a.ts": 'import { report } from "../demo/report.ts";',
      "demo/a.ts": 'import { median } from "../bench/benchmark.ts";',
      "demo/b.ts": 'import { features } from "../src/features.ts";',
      "test/e2e/a.e2e.test.ts": 'import type { Stage } from "../../bench/stage.ts";',
      "stage/a.ts": 'import { createDatabase } from "../test/database.ts";',
      "stage/tests/b.test.ts": 'import { transaction } from "../../src/db/transaction.ts";',
      "sandbox/a.ts": 'import { waitFor } from "../stage/api-client.ts";',
      "src/lib/tests/a.test.ts": 'import { median } from "../../../bench/benchmark.ts";',
    },
    "settings are read in one place": {
      "src/http/a.ts": "const port = process.env.PORT;",
      "src/up.ts": "loadConfig(process.env, {}); console.log(process.env.HOME);",
      "src/lib/a.ts": 'import { env } from "node:process";',
    },
    "SQL is in queries.ts": {
      "src/features/servers/actions.ts": "const query = sql`select 1`;",
      "src/http/a.ts": 'await pool.query("select 1");',
    },
    "a transaction is asked for several things with `pipelined`": {
      "src/features/servers/actions.ts": "await Promise.all([\n  emitEvent(tx, one),\n  emitEvent(tx, two),\n]);",
    },
    "there are no barrel files": {
      "src/lib/a.ts": 'export * from "./b.ts";\n',
      "src/lib/b.ts": '// All there is.\nexport { a } from "./a.ts";\nexport type { C } from "./c.ts";\n',
    },
    "no file uses the type any": {
      "src/lib/a.ts": "// biome-ignore lint/suspicious/noExplicitAny: because\nexport type A = any;",
    },
  };

  for (const [name, files] of Object.entries(breaking)) {
    it(`refuses what breaks "${name}"`, () => {
      const rule = rules[name] as (typeof rules)[string];
      for (const [file, text] of Object.entries(files)) {
        assert.equal(rule(new Map([[file, text]])).length, 1, `${file}: ${text}`);
      }
    });
  }

  it("refuses a circle of files", () => {
    const circle = new Map([
      ["src/lib/a.ts", 'import { b } from "./b.ts";'],
      ["src/lib/b.ts", 'import type { C } from "./c.ts";'],
      ["src/lib/c.ts", 'import { b } from "./b.ts";'],
    ]);
    assert.deepEqual(circles(circle), ["src/lib/b.ts imports src/lib/c.ts imports src/lib/b.ts"]);
  });

  it("accepts what the design allows", () => {
    const allowed = new Map(
      Object.entries({
        "src/engine/a.ts": 'import { row } from "../db/sql.ts";\nimport { sh } from "../host/sh.ts";',
        "src/db/a.ts": 'import type { Config } from "../config.ts";',
        "src/http/a.ts": 'import type { Context } from "../context.ts";',
        "src/features/deployments/actions.ts":
          'import { getProject } from "../projects/actions.ts";\nimport type { Context } from "../../context.ts";',
        "src/features/deployments/steps/a.ts": 'import type { ProjectOnServer } from "../../projects/plans.ts";',
        "src/features/deployments/queries.ts":
          'import { projectReach } from "../accounts/reach.ts";\nconst a = sql`select 1`;',
        "src/main.ts": 'const { up } = await import("./up.ts");\nloadConfig(process.env, {});',
        "cli/a.ts": 'import type { paths } from "../contract/client.ts";',
        "demo/a.ts": 'import { startLoad } from "../stage/load.ts";',
        "stage/instrument.ts": 'import { runnerPath } from "../src/host/runner/runner.ts";',
      }),
    );
    for (const [name, rule] of Object.entries(rules)) assert.deepEqual(rule(allowed), [], name);
  });
});
