import { hash } from "node:crypto";
import type { FactForms } from "../../../engine/runs/facts.ts";
import { fromTheStart, type Plan, plan, type Step, step } from "../../../engine/runs/plan.ts";
import { createDatabase } from "../../../host/databases/databases.ts";
import { enginePorts } from "../../../host/databases/engine.ts";
import * as database from "../../../host/databases/setup.ts";
import * as search from "../../../host/meilisearch/meilisearch.ts";
import * as firewall from "../../../host/network/firewall.ts";
import * as nginx from "../../../host/nginx/setup.ts";
import * as node from "../../../host/node/node-runtime.ts";
import * as php from "../../../host/php/php.ts";
import * as redis from "../../../host/redis/redis.ts";
import { withPrelude } from "../../../host/runner/prelude.ts";
import { lines, type Script } from "../../../host/sh.ts";
import * as sshd from "../../../host/ssh/sshd.ts";
import * as apt from "../../../host/system/apt.ts";
import {
  type DatabaseEngine,
  type Distribution,
  isSupported,
  packageSets,
  type ServerType,
  unsupported,
} from "../../../host/system/distribution.ts";
import * as system from "../../../host/system/system.ts";
import { memoize } from "../../../lib/memoize.ts";

export interface SetupInput {
  serverType: ServerType;
  /** The system that the probe found; it decides which packages are installed. */
  distribution: Distribution;
  /** The system declared when the server was created (`server_os`). */
  declared: Distribution;
  databaseEngine: DatabaseEngine;
  /** The database that comes with the server; the verifier of its password is the secret `databaseVerifier`. */
  database?: { name: string; username: string; mark: string };
  timezone: string;
  sshPort: number;
  /** Major versions or whole ones; the first becomes the server's `node`. */
  nodeVersions: readonly string[];
  /** Default: https://nodejs.org/dist */
  nodeMirror?: string;
  /** Default: off */
  http3?: boolean;
  /** The control plane's address as the server sees it (probe): never blocked. */
  controlAddress?: string;
  /** The control plane's own public key on the server, which does not count as a person's access. */
  controlKey: string;
  /** The host key that the control plane pinned: it stays in use. */
  hostKey?: string;
  /** Addresses of the organization's other servers, for types that only those may reach. */
  peers?: readonly string[];
  search?: search.SearchBinary;
  projects?: system.KnownProjects;
}

/** Names of the files that a setup reads in `$LONGSHORE_SECRETS`; only those of the server's type are read. */
export const setupSecrets = {
  /** The verifier of the password of the server's database. */
  databaseVerifier: "database_verifier",
  redisPassword: "redis_password",
  searchKey: "search_key",
} as const;

/** The phases in order, with their labels; a plan omits those that its server does not need. */
export const setupPhases = {
  check: "Check the server",
  packages: "Install packages",
  system: "Prepare the system",
  security: "Secure the server",
  web: "Web server",
  php: "PHP",
  node: "Node.js",
  database: "Database",
  cache: "Cache",
  search: "Search",
  finish: "Finish",
} as const;

type Phase = keyof typeof setupPhases;

/**
 * Sets up a fresh server for its type. Every step changes only what differs, so the plan can run again at any time; a failed step
 * is recorded, reports the reason in its last line, and does not stop the rest. Throws `refused` for an operating system that is
 * not supported.
 */
export function setupPlan(input: SetupInput): Plan {
  if (!isSupported(input.distribution)) throw unsupported(input.distribution);
  return plan("provision", setupSteps(input), { pointOfNoReturn: fromTheStart, version: setupVersion(input) });
}

const setupSteps = (input: SetupInput): Steps => [
  ...checks(input),
  ...packages(input),
  ...systemSettings(input),
  ...security(input),
  ...carries(input).flatMap((part) => parts[part](input)),
  ...finish(input),
];

/** The common input of servers with the same setup. The rest of a SetupInput is specific to one server. */
export type SetupProfile = Pick<
  SetupInput,
  "serverType" | "distribution" | "databaseEngine" | "nodeVersions" | "http3" | "search"
>;

/**
 * Identifies the setup of such a server: equal until a step changes. A server's time zone, addresses and mirror do not count:
 * they change without making a setup outdated.
 */
export const setupVersion = (profile: SetupProfile): string => {
  const { serverType, distribution, databaseEngine, nodeVersions, http3, search } = profile;
  return versionOf({ serverType, distribution, databaseEngine, nodeVersions, http3, search });
};

// Making a plan takes milliseconds, and a list of servers asks for each of them.
const versionOf = memoize(100, (profile: SetupProfile): string => {
  const steps = setupSteps({
    ...profile,
    declared: profile.distribution,
    database: { name: "longshore", username: "longshore", mark: "longshore-database-0" },
    timezone: "UTC",
    sshPort: 22,
    controlKey: "",
  });
  const scripts = steps.map((each) => each && [each.key, each.script]);
  return hash("sha256", JSON.stringify(scripts), "base64url").slice(0, 16);
});

export type Part = "web" | "php" | "node" | "database" | "cache" | "search";

const carriedBy: Record<ServerType, readonly Part[]> = {
  0: ["web", "php", "node", "database"],
  1: ["database"],
  2: ["cache"],
  3: ["search"],
  4: ["web"],
};

/** The services of a server, by its type and the engine of its databases. */
export const carries = (input: Pick<SetupInput, "serverType" | "databaseEngine">): readonly Part[] =>
  carriedBy[input.serverType].filter((part) => part !== "database" || input.databaseEngine !== "none");

const has = (input: SetupInput, part: Part): boolean => carries(input).includes(part);

type Steps = (Step | false)[];

const parts: Record<Part, (input: SetupInput) => Steps> = {
  web: webServer,
  php: phpRuntime,
  node: nodeRuntime,
  database: databaseEngine,
  cache,
  search: searchEngine,
};

const componentOf = (input: SetupInput, component: string): readonly string[] =>
  packageSets(input.serverType, input.databaseEngine).find((set) => set.component === component)?.packages ?? [];

/** Makes the steps of a phase. A script that fails without an error message ends with one made from the label. */
const inPhase =
  (phase: Phase) =>
  (key: string, label: string, script: Script, timeoutSeconds = 300): Step =>
    step(key, label, withPrelude(`${label}: this did not work; the lines above say why.`, script), {
      phase,
      checkpoint: false,
      onFailure: "continue",
      timeoutSeconds,
      ...(facts[key] ? { facts: facts[key] } : {}),
    });

/** Facts by the key of the step that reports them. */
const facts: Record<string, FactForms> = {
  "operating-system": { operating_system: "line" },
  "former-projects": { highest_project: "number" },
  nginx: { nginx_version: "version" },
  php: { php_version: "version" },
  "node-current": { node_version: "line" },
  "database-engine": { database_version: "line" },
  redis: { redis_version: "version" },
  meilisearch: { search_version: "version" },
};

function checks({ distribution, declared, projects = { ids: [], last: 0 } }: SetupInput): Step[] {
  const add = inPhase("check");
  return [
    add("operating-system", "Operating system", system.checkOperatingSystem(distribution, declared)),
    add("architecture", "Processor", system.checkArchitecture),
    add("memory", "Memory", system.checkMemory),
    add("disk-space", "Disk space", system.checkDisk),
    add("privileges", "Privileges", system.checkPrivileges),
    add("clock", "Clock", system.checkClock),
    add("former-projects", "Projects of another installation", system.findFormerProjects(projects)),
    add("first-boot", "End of the machine's first boot", system.waitForFirstBoot, 660),
  ];
}

// Files that daemons read at their first start come before their packages, and Node is fetched in parallel. One call installs all
// packages: each component's step then finds its packages, or installs them if that call failed.
function packages(input: SetupInput): Steps {
  const add = inPhase("packages");
  const names = packageSets(input.serverType, input.databaseEngine).flatMap((set) => set.packages);
  return [
    add("package-settings", "Package manager", apt.configureApt),
    input.distribution.id === "ubuntu" && add("universe", "Universe component", apt.enableUniverse),
    add("interrupted-installation", "Interrupted installations", apt.finishInterruptedInstallation, 1200),
    ...(has(input, "node") ? input.nodeVersions : []).map((version) => {
      const installation = withPrelude(`Node ${version} was not installed yet.`, nodeInstallation(input, version));
      const additions = withPrelude("pnpm and yarn were not installed yet.", node.installPackageManagers(version));
      const fetch = node.fetchNodeInBackground(version, installation, additions);
      return add(`node-${keyOf(version)}-fetch`, `Node ${version} in the background`, fetch);
    }),
    add("fail2ban-rules", "Rules of fail2ban", sshd.writeJail(input.controlAddress)),
    has(input, "database") &&
      input.databaseEngine === "mariadb" &&
      add("mariadb-settings", "MariaDB settings", database.writeEngineSettings("mariadb", isRemote(input))),
    add("package-lists", "Package lists", apt.updatePackageLists([...names, ...optionalPackages(input)]), 900),
    setTimeZone(input.timezone),
    add("packages", "Packages", apt.installPackages(names), 2400),
    add("tools", "Tools", system.verifyTools(componentOf(input, "tools")), 900),
  ];
}

/** What a later step installs if the distribution has it: a failed attempt must be repeated with present lists. */
const optionalPackages = (input: SetupInput): readonly string[] => (has(input, "web") ? nginx.brotliModules : []);

const setTimeZone = (timezone: string): Step =>
  inPhase("packages")("time-zone", "Time zone", system.setTimeZone(timezone), 900);

/** Whether a setup set this time zone. */
export const hasTimeZone = ({ steps }: Plan, timezone: string): boolean =>
  steps.some(({ script }) => script === setTimeZone(timezone).script);

const nodeInstallation = ({ nodeMirror = node.defaultNodeMirror }: SetupInput, version: string): Script =>
  node.installNode({ mirror: nodeMirror, version });

const keyOf = (version: string): string => version.replaceAll(".", "-");

function systemSettings(input: SetupInput): Step[] {
  const add = inPhase("system");
  return [
    add("directories", "Directories", system.createDirectories),
    add("deploy-user", "Account for deployments", system.createDeployUser),
    add("locale", "Locale", system.setLocale),
    add("host-name", "Host name", system.checkHostName),
    add("swap", "Swap", system.addSwap),
    add("kernel-parameters", "Kernel parameters", lines(system.setKernelParameters, system.disableCoreDumps)),
    add("time-synchronization", "Time synchronization", system.synchronizeClock),
    add("journal", "System log", system.limitJournal),
    add("log-rotation", "Log rotation", system.rotateLogs),
    add("cron", "Scheduled jobs", lines(system.startCron, system.restrictCron)),
    ...(input.serverType === 0
      ? [
          add("git", "git", system.verifyGit),
          add("build-tools", "Compilers for dependencies with native parts", system.verifyBuildTools, 900),
        ]
      : []),
  ];
}

function security(input: SetupInput): Step[] {
  const add = inPhase("security");
  return [
    add("ssh", "SSH", sshd.hardenSshd(input.controlKey, input.hostKey)),
    add("firewall-rules", "Firewall rules", firewall.writeFirewall(firewallRules(input))),
    add("firewall", "Firewall", firewall.activateFirewall),
    add("fail2ban", "fail2ban", sshd.startFail2ban),
    add("automatic-updates", "Automatic security updates", apt.configureAutomaticUpdates),
  ];
}

/** The firewall rules of a server: the web to everyone, data to the organization's other servers. */
export function firewallRules(
  input: Pick<SetupInput, "serverType" | "databaseEngine" | "sshPort" | "peers">,
): firewall.FirewallRules {
  const from = input.peers ?? [];
  const isWebServer = input.serverType === 0 || input.serverType === 4;
  const data: Record<ServerType, number[]> = {
    0: [],
    1: input.databaseEngine === "none" ? [] : [enginePorts[input.databaseEngine]],
    2: [6379],
    3: [7700],
    4: [],
  };
  return {
    sshPort: input.sshPort,
    publicPorts: isWebServer ? [80, 443] : [],
    publicUdpPorts: isWebServer ? [443] : [],
    peerPorts: data[input.serverType].map((port) => ({ port, from })),
  };
}

function webServer(input: SetupInput): Step[] {
  const add = inPhase("web");
  return [
    add("nginx", "nginx", nginx.verifyNginx, 900),
    add("nginx-restart", "Restart after a crash", nginx.writeNginxRestart),
    add("nginx-settings", "Settings of nginx", nginx.writeNginxMain),
    add("nginx-tls", "TLS", nginx.writeNginxTls),
    add("nginx-http3", "HTTP/3", input.http3 ? nginx.writeNginxHttp3 : nginx.removeNginxHttp3),
    add("nginx-brotli", "Compression", nginx.writeNginxBrotli, 900),
    add("nginx-default-site", "Default site", nginx.writeNginxDefaultSite),
    add("nginx-start", "nginx answers", nginx.startNginx),
  ];
}

const phpExtensions = [
  "apcu bcmath curl dom exif fileinfo gd gmp iconv intl mbstring mysqli openssl",
  "pcntl pdo_mysql pdo_pgsql pdo_sqlite redis simplexml soap sodium xml xmlwriter zip",
].flatMap((names) => names.split(" "));

function phpRuntime(input: SetupInput): Step[] {
  const add = inPhase("php");
  return [
    add("php", "PHP", php.verifyPhp(componentOf(input, "php")), 900),
    add("php-extensions", "Extensions of PHP", php.verifyPhpExtensions(phpExtensions)),
    add("php-settings", "Settings of PHP", php.writePhpSettings),
    add("php-fpm", "PHP-FPM", php.stopSharedFpm),
    add("composer", "Composer", php.verifyComposer, 900),
  ];
}

function nodeRuntime(input: SetupInput): Steps {
  const add = inPhase("node");
  const [first] = input.nodeVersions;
  if (first === undefined) return [];
  return [
    ...input.nodeVersions.flatMap((version) => [
      add(`node-${keyOf(version)}`, `Node ${version}`, nodeInstallation(input, version), 1200),
      add(
        `node-${keyOf(version)}-managers`,
        `pnpm and yarn for Node ${version}`,
        node.installPackageManagers(version),
        600,
      ),
    ]),
    add("node-current", "Default version of Node", node.activateNode(first)),
    add("node-commands", "Commands of Node", node.linkNodeCommands),
    add("npm", "npm", node.verifyNpm),
  ];
}

const isRemote = (input: SetupInput): boolean => input.serverType === 1;

function databaseEngine(input: SetupInput): Steps {
  const add = inPhase("database");
  const engine = input.databaseEngine;
  if (engine === "none") return [];
  const remoteAccess = isRemote(input) ? database.allowRemoteEngine(engine) : undefined;
  return [
    add("database-engine", "Database engine", database.verifyEngine(engine, componentOf(input, "database")), 900),
    add("database-settings", "Database settings", database.writeEngineSettings(engine, isRemote(input))),
    remoteAccess !== undefined && add("database-access", "Access from other servers", remoteAccess),
    add("database-start", "Database engine answers", database.startEngine(engine)),
    add("database-security", "Accounts of the database engine", database.hardenEngine(engine)),
    input.database !== undefined &&
      add(
        "database",
        `Database ${input.database.name}`,
        createDatabase({
          ...input.database,
          engine,
          secret: setupSecrets.databaseVerifier,
          remote: isRemote(input),
        }),
      ),
  ];
}

function cache(_input: SetupInput): Step[] {
  const add = inPhase("cache");
  return [
    add("redis", "Redis", redis.configureRedis(setupSecrets.redisPassword), 900),
    add("redis-answers", "Redis answers", redis.verifyRedis(setupSecrets.redisPassword)),
  ];
}

function searchEngine(input: SetupInput): Step[] {
  const add = inPhase("search");
  return [
    add("meilisearch", "Meilisearch", search.installMeilisearch(input.search), 1200),
    add("meilisearch-settings", "Settings of Meilisearch", search.configureMeilisearch(setupSecrets.searchKey)),
    add("meilisearch-answers", "Meilisearch answers", search.startMeilisearch),
  ];
}

function finish(input: SetupInput): Step[] {
  const add = inPhase("finish");
  const units: Record<Part, string[]> = {
    web: ["nginx"],
    php: [],
    node: [],
    database: [input.databaseEngine === "mariadb" ? "mariadb" : "postgresql"],
    cache: ["redis-server"],
    search: ["meilisearch"],
  };
  const carried = carries(input).flatMap((part) => units[part]);
  return [
    add("services", "Services", system.verifyServices(["ssh", "cron", "fail2ban", "nftables", ...carried])),
    add("reboot", "Reboot", system.checkReboot),
    add("summary", "Summary", system.summarize),
  ];
}
