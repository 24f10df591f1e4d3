import { posix } from "node:path";

// Which tests run when. All paths are relative to the repository.

/**
 * The files on a real server that every change runs: the main job, from a fresh server to what visitors get. What only some changes
 * can break is in `byPath`.
 */
const smoke = [
  "src/engine/runs/tests/follow.e2e.test.ts",
  "src/host/runner/tests/runner.e2e.test.ts",
  "src/host/ssh/tests/hosts.e2e.test.ts",
  "test/e2e/cancel.e2e.test.ts",
  "test/e2e/domains.e2e.test.ts",
  "test/e2e/served.e2e.test.ts",
  "test/e2e/setup.e2e.test.ts",
];

/**
 * Tests that repeat one thing very often, for faults that one repetition in thousands shows, repeat other tests elsewhere, press everything,
 * or bring what others made: dependencies into packages, a suite of tests.
 */
const endurance = [
  "console/test/walk-others.test.ts",
  "console/test/walk-projects.test.ts",
  "console/test/walk-servers.test.ts",
  "console/test/walk.test.ts",
  "src/engine/runs/tests/hostile.test.ts",
  "src/features/cloud-servers/tests/storm-of-providers.test.ts",
  "src/features/cloud-servers/tests/storm.test.ts",
  "src/features/mcp/tests/conformance.test.ts",
  "src/features/mcp/tests/inspector.test.ts",
  "src/features/monitors/tests/killed.test.ts",
  "test/package.test.ts",
  "test/postgresql.test.ts",
];

/**
 * Tests that leave the server as they found it but for their projects, so that one server and one platform serve them in turn.
 */
export const sharesServer: readonly string[] = [
  "test/e2e/maintenance.e2e.test.ts",
  "test/e2e/domains.e2e.test.ts",
  "test/e2e/jobs.e2e.test.ts",
  "test/e2e/processes.e2e.test.ts",
  "test/e2e/cancel.e2e.test.ts",
  "test/e2e/drain.e2e.test.ts",
];

/** The files that take longest. They start first, since a run waits for the file that ends last. */
const longest = [
  "src/features/cloud-servers/tests/storm-of-providers.test.ts",
  "src/features/servers/setup/tests/plans.e2e.test.ts",
  "src/features/servers/setup/tests/plans-data.e2e.test.ts",
  "test/postgresql.test.ts",
  "test/e2e/apps-move.e2e.test.ts",
  "test/e2e/apps-node.e2e.test.ts",
  "test/e2e/move.e2e.test.ts",
  "test/e2e/applications/chosen.e2e.test.ts",
  "test/e2e/databases.e2e.test.ts",
  "test/e2e/settings.e2e.test.ts",
  "test/e2e/balanced-projects.e2e.test.ts",
  "test/e2e/monitors.e2e.test.ts",
  "test/e2e/service-features.e2e.test.ts",
];

/** The tests on real servers that a change below a path needs, besides the tests of its own folder. */
const byPath: readonly { below: readonly string[]; tests: readonly string[] }[] = [
  {
    below: ["src/host/nginx", "src/features/sites", "src/features/site-records", "src/features/load-balancers"],
    tests: ["domains", "maintenance", "balancer", "balanced-projects"],
  },
  {
    below: ["src/features/certificates", "src/providers/acme", "src/host/certificates"],
    tests: ["certificates", "apps-tls"],
  },
  { below: ["src/features/moves"], tests: ["move", "apps-move"] },
  {
    below: ["src/features/deployments", "src/host/node"],
    tests: ["served", "settings", "drain", "applications/chosen"],
  },
  { below: ["src/host/php"], tests: ["settings", "php", "applications/php", "applications/laravel"] },
  { below: ["src/features/projects/php"], tests: ["php"] },
  { below: ["src/features/projects"], tests: ["served", "settings", "deleted", "applications/found"] },
  { below: ["src/features/sites"], tests: ["served", "settings", "move"] },
  { below: ["src/host/nginx", "src/features/sites/redirects"], tests: ["redirects"] },
  { below: ["src/features/apps"], tests: ["apps-install", "apps-update"] },
  {
    below: ["src/features/mcp"],
    tests: ["mcp", ...["conformance", "inspector"].map((name) => `/src/features/mcp/tests/${name}.test.ts`)],
  },
  { below: ["src/features/monitors", "src/features/status-pages"], tests: ["monitors", "heartbeats"] },
  {
    below: ["src/features/cloud-servers", "src/providers/cloud", "test/clouds"],
    tests: ["clouds", "/src/features/cloud-servers/tests/storm.test.ts"],
  },
  {
    below: [
      "src/features/servers/setup",
      "src/host/system",
      "src/host/network",
      "src/host/redis",
      "src/host/meilisearch",
    ],
    tests: ["setup", "/src/features/servers/setup/tests/plans.e2e.test.ts"],
  },
  { below: ["src/features/servers"], tests: ["setup", "reboot", "deleted"] },
  { below: ["src/host/databases", "src/features/databases"], tests: ["databases"] },
  { below: ["src/features/sources", "src/providers/git", "src/host/git", "test/git-hosts"], tests: ["git-hosts"] },
  { below: ["src/host/runner", "src/engine/runs"], tests: ["cancel", "log", "attacks/record", "matrix/server"] },
  { below: ["src/engine", "src/host/runner"], tests: ["kill", "matrix/goes-on"] },
  { below: ["src/host/ssh"], tests: ["network", "faults"] },
  { below: ["src/features/ssh-keys"], tests: ["ssh-keys"] },
  { below: ["src/features/jobs", "src/host/jobs"], tests: ["jobs"] },
  { below: ["src/features/commands", "src/features/processes", "src/host/environment"], tests: ["processes"] },
  { below: ["src/host/systemd"], tests: ["processes", "attacks/neighbours", "services"] },
  {
    below: ["cli"],
    tests: [
      "client",
      ...["commands", "follow", "output", "settings"].map((name) => `/cli/test/${name}.test.ts`),
      ...["deploy", "docs", "redirects", "sign-in", "terminal"].map((name) => `/test/client/${name}.test.ts`),
    ],
  },
  { below: ["src/up.ts", "src/main.ts", "docs/operations.md"], tests: ["kill", "services"] },
  { below: ["src/service", "tools/package", "longshore"], tests: ["service", "/test/package.test.ts"] },
  { below: ["src/service/upgrade"], tests: ["upgrade", "upgrade-under-way"] },
  { below: ["src/service/unit.ts", "test/system-uses.test.ts"], tests: ["service-features"] },
  { below: ["src/db"], tests: ["failover", "full-disk", "postgresql", "/test/postgresql.test.ts"] },
  { below: ["src/service/this-machine.ts", "src/features/servers/this-machine.ts"], tests: ["own-machine"] },
];

/** In `byPath`: a name below test/e2e, or after a slash a path of the repository. */
const testFile = (name: string): string => (name.startsWith("/") ? name.slice(1) : `test/e2e/${name}.e2e.test.ts`);

const applications = "test/e2e/applications/";
/** A small choice of the applications; the other files of that folder run only by name. */
const chosenApplications = `${applications}chosen.e2e.test.ts`;

/** A test that boots real servers, and so needs Linux and root. */
export const isE2e = (file: string): boolean => file.endsWith(".e2e.test.ts");

export const isOfConsole = (file: string): boolean => file.startsWith("console/");

export const isApplication = (file: string): boolean => file.startsWith(applications);

/** What `./longshore test` runs, and every change has to pass. */
export const standardTests = (all: readonly string[]): string[] =>
  all.filter((file) => (isE2e(file) ? smoke.includes(file) : !endurance.includes(file)));

/** Everything but the real applications of which `chosenApplications` is a choice: they take hours. */
export const allTests = (all: readonly string[]): string[] =>
  all.filter((file) => !isApplication(file) || file === chosenApplications);

/**
 * The tests that a change of these files needs: changed tests, those of the changed folders, and those that `byPath` names. A
 * folder's tests are in `tests/` in it or in the nearest folder above that has one; those of the console belong to all of it,
 * except for those on real servers. Of the real applications only those that `byPath` names and the choice: a change of what they
 * share would run all of them.
 */
export function testsOfChange(changed: readonly string[], all: readonly string[]): string[] {
  const folders = new Set(changed.filter(isSource).map((file) => testFolderOf(file, all)));
  const named = new Set(byPath.filter(({ below }) => changed.some((file) => isBelow(file, below))).flatMap(testsNamed));
  return all.filter((file) => {
    if (named.has(file)) return true;
    if (isApplication(file) && file !== chosenApplications) return false;
    if (changed.includes(file)) return true;
    if (isOfConsole(file) && !isE2e(file) && changed.some(isSourceOfConsole)) return true;
    return folders.has(posix.dirname(file)) && !endurance.includes(file) && (!isE2e(file) || smoke.includes(file));
  });
}

const testsNamed = ({ tests }: (typeof byPath)[number]): string[] => tests.map(testFile);

const isBelow = (file: string, paths: readonly string[]): boolean =>
  paths.some((path) => file === path || file.startsWith(`${path}/`));

const isSourceOfConsole = (file: string): boolean => isOfConsole(file) && !file.endsWith(".test.ts");

const isSource = (file: string): boolean => /^(?:src|sandbox|stage)\//.test(file);

function testFolderOf(file: string, all: readonly string[]): string | undefined {
  for (let folder = posix.dirname(file); folder !== "."; folder = posix.dirname(folder)) {
    if (posix.basename(folder) === "tests") return folder;
    const tests = `${folder}/tests`;
    if (all.some((each) => each.startsWith(`${tests}/`))) return tests;
  }
  return undefined;
}

/**
 * The order in which files start: the longest first. Where only `exempt` ones may run for as long as they need, those come
 * first, and the longest of the others last, so that most of them have run when the time is over.
 */
export function inOrder(files: readonly string[], exempt: ReadonlySet<string> = new Set(files)): string[] {
  const others = longestFirst(files.filter((file) => !exempt.has(file)));
  return [...longestFirst(files.filter((file) => exempt.has(file))), ...others.toReversed()];
}

/**
 * The longest, then the other e2e tests, then the short ones, which fill the gaps. Those of the console come last: a browser
 * aborts its requests whenever a local server adds a network interface or removes one.
 */
function longestFirst(files: readonly string[]): string[] {
  const rank = (file: string): number => {
    if (longest.includes(file)) return longest.indexOf(file);
    return longest.length + (isE2e(file) ? 0 : file.startsWith("console/") ? 2 : 1);
  };
  return files.toSorted((a, b) => rank(a) - rank(b));
}

/** The paths above that name no file, so that a renamed test cannot drop out unnoticed. */
export function danglingPaths(all: readonly string[]): string[] {
  const tests = [...smoke, ...endurance, ...sharesServer, ...longest, ...byPath.flatMap(testsNamed)];
  return [...new Set(tests)].filter((file) => !all.includes(file));
}
