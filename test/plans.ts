import assert from "node:assert/strict";
import { fromTheStart, type Plan, plan } from "../src/engine/runs/plan.ts";
import type { App, AppUpdate, AppVersion } from "../src/features/apps/app.ts";
import { catalog } from "../src/features/apps/catalog.ts";
import { downloadPlan, type Installed, servingPlan, sitePlan, updatePlan } from "../src/features/apps/planning.ts";
import { checkPages } from "../src/features/apps/steps.ts";
import { challengePlan, cleanupPlan, installPlan, requestPlan } from "../src/features/certificates/plans.ts";
import { commandPlan } from "../src/features/commands/plans.ts";
import { creationPlan, importPlan, removalPlan } from "../src/features/databases/plans.ts";
import { deploymentPlan, installationPlan, recyclePlan, rollbackPlan } from "../src/features/deployments/plans.ts";
import { jobsPlan, restartJobPlan, runJobPlan } from "../src/features/jobs/plans.ts";
import { appFilesOf } from "../src/features/moves/apps.ts";
import * as moves from "../src/features/moves/plans.ts";
import { buildCachePlan } from "../src/features/projects/build-cache.ts";
import { detectionPlan } from "../src/features/projects/detection/plans.ts";
import { findFramework, frameworks } from "../src/features/projects/frameworks.ts";
import { onServer } from "../src/features/projects/on-server.ts";
import { initialPhp } from "../src/features/projects/php/schema.ts";
import { deployKeyPlan, type ProjectOnServer, phpSteps, removeProjectPlan } from "../src/features/projects/plans.ts";
import type { PlacedProject } from "../src/features/projects/schema.ts";
import { peersPlan } from "../src/features/servers/data/peers.ts";
import { rebootPlan } from "../src/features/servers/reboot.ts";
import { setupPlan } from "../src/features/servers/setup/plans.ts";
import { timezonePlan } from "../src/features/servers/timezone.ts";
import { balancerSitePlan, forwardingPlan, maintenancePlan, publishSitePlan } from "../src/features/sites/plans.ts";
import { sshKeysPlan } from "../src/features/ssh-keys/plans.ts";
import { certificateFiles } from "../src/host/certificates/certificate.ts";
import { projectLayout } from "../src/host/layout.ts";
import type { SiteKind } from "../src/host/nginx/model.ts";
import { someIdentity } from "../src/host/project-mark/tests/identity.ts";

// A plan of every kind that features make, with every possible part: rules for all plans are tested on these.

const layout = projectLayout(7);
const tls = { ...certificateFiles(layout, 3), names: ["shop.test"], stapled: true };

const forwarding = { project: 7, names: ["shop.test"], to: "203.0.113.7", proxies: [] };

const kindOf = (family: "php" | "node" | "static"): SiteKind => {
  if (family === "node") return { family, ports: [20_000, 20_001] };
  return family === "php" ? { family, assets: "laravel" } : { family, spa: "detected", assets: "build" };
};

function project(frameworkId: number, over: Partial<ProjectOnServer> = {}): ProjectOnServer {
  const framework = findFramework(frameworkId);
  if (!framework) throw new Error(`There is no framework ${frameworkId}`);
  const { install, build, dev } = framework.defaults;
  return {
    layout,
    identity: someIdentity,
    framework,
    site: {
      layout,
      kind: kindOf(framework.runtimeFamily),
      domains: [{ name: "shop.test" }, { name: "old.test", redirectTo: "https://shop.test" }],
      wwwRedirect: 1,
      redirectStatus: 301,
      tls,
      markdownNegotiation: true,
      hsts: true,
      proxies: ["192.0.2.1"],
      balancer: { addresses: ["192.0.2.2"] },
      basicAuth: 2,
    },
    directory: "web",
    commands: { install, build, dev, custom: "echo deployed" },
    sharedDirectories: ["uploads"],
    sharedFiles: ["notes.txt"],
    keeps: framework.keeps,
    hasEnvironment: true,
    zeroDowntime: true,
    writtenFiles: { mayGo: false, directories: ["uploads"], files: ["notes.txt"] },
    maxMemoryMb: 512,
    phpVersion: framework.runtimeFamily === "php" ? "8.3" : undefined,
    nodeVersion: "22",
    php: {
      ...{ memoryLimitMb: 384, maxExecutionSeconds: 400, maxWorkers: 8, opcache: false, opcacheMemoryMb: 64 },
      extensions: ["uuid", "imagick"],
    },
    ...over,
  };
}

function ofProject(of: ProjectOnServer): Plan[] {
  const source = { url: "https://git.test/a.git", privateUrl: "git@git.test:a.git", branch: "main" };
  const input = {
    project: of,
    deploymentId: 12,
    source: { ...source, access: "password" as const, commit: "a".repeat(40) },
    restartsJobs: true,
  };
  const jobs = [
    { id: 3, command: "true", isActive: true, runs: { schedule: "@daily" }, heartbeatDigest: "a".repeat(64) },
    { id: 4, command: "true", isActive: true, runs: { processes: 2 }, heartbeatDigest: "b".repeat(64) },
  ];
  const rollback = of.zeroDowntime
    ? [rollbackPlan({ ...input, releaseId: 3 }), recyclePlan({ ...input, releaseId: 3 })]
    : [];
  return [
    publishSitePlan(of.site),
    ...(of.framework.runtimeFamily === "php"
      ? [plan("write-pool", phpSteps(of), { pointOfNoReturn: fromTheStart })]
      : []),
    installationPlan(input),
    deploymentPlan(input),
    ...rollback,
    jobsPlan(of, jobs),
    commandPlan(of, { command: "php artisan migrate:status", timeoutSeconds: 60 }),
    buildCachePlan(layout),
    removeProjectPlan(of, [8, 9], true),
    ...movesOf(of, input),
  ];
}

function movesOf(of: ProjectOnServer, input: Parameters<typeof deploymentPlan>[0]): Plan[] {
  const transit = {
    deploymentId: 12,
    layout,
    ports: [20_000, 20_001],
    databases: [
      { engine: "mariadb" as const, name: "shop_db", username: "shop", readers: [] },
      { engine: "postgresql" as const, name: "search", username: "search", readers: [] },
    ],
  };
  const origin = { source: { name: "east", host: "2001:db8::1", port: 2222 }, certificate: 3 };
  return [
    moves.openingPlan(transit, "ssh-ed25519 AAAA longshore-move-12", of),
    moves.copyingPlan(transit, origin, of),
    moves.buildingPlan(transit, input),
    moves.holdingPlan(transit),
    moves.finishingPlan(transit, origin, { ...input, inMaintenance: true, further: [] }),
    moves.releasingPlan(transit),
    moves.undoingPlan(transit, [3, 4]),
    moves.closingPlan(transit),
    moves.removingPlan(transit, [5]),
    moves.removingPlan(transit, [5], forwarding),
  ];
}

// Every application of the catalog, installed and updated.
function ofApps(): Plan[] {
  return catalog.flatMap((app) => {
    const installed = installedApp(app);
    const version = app.versions[0] as AppVersion;
    const work: AppUpdate = {
      layout,
      release: 4,
      version,
      tools: app.tools,
      domain: "shop.test",
      texts: {},
      database: app.needsDatabase ? { engine: app.engines[0] ?? "mariadb", name: "shop", username: "shop" } : undefined,
      ports: [20_000, 20_001],
      from: { release: 3, version: "1.0" },
    };
    const { configure, install } = app.install;
    const steps = [...configure(work), ...install(work)];
    return [
      sitePlan("app-install", installed),
      downloadPlan("app-install", app, work),
      plan("app-install", steps, { pointOfNoReturn: "install" }),
      servingPlan("app-install", installed, work),
      ...(app.update ? [updatePlan("app-update", installed, work)] : []),
      ...movesOfApp(installed, work),
    ];
  });
}

// The plans of a move that differ from those for a project with a repository.
function movesOfApp({ app, project }: Installed, work: AppUpdate): Plan[] {
  const files = appFilesOf(project);
  assert.ok(files);
  const databases = work.database ? [{ ...work.database, readers: [] }] : [];
  const transit = { deploymentId: 12, layout, ports: [20_000, 20_001], databases };
  const origin = { source: { name: "east", host: "2001:db8::1", port: 2222 }, certificate: 3, app: files };
  const input = { project: onServer(project, false), deploymentId: files.release, inMaintenance: false };
  const checks = [checkPages({ layout, name: "shop.test", isSecure: true, user: undefined }, app.checks)];
  return [
    moves.openingPlan(transit, "ssh-ed25519 AAAA longshore-move-12", onServer(project, false), files),
    moves.copyingPlan(transit, origin, onServer(project, false)),
    moves.finishingPlan(transit, origin, { ...input, further: [{ before: app.moved?.(work) ?? [], after: checks }] }),
  ];
}

function installedApp(app: App): Installed {
  return {
    app,
    project: projectRow(app),
    answers: {},
    database: undefined,
    installation: {} as Installed["installation"],
  };
}

// The fields of a row that plans read.
const projectRow = (app: App): PlacedProject =>
  ({
    id: 7,
    name: "Shop",
    source_type: "app",
    framework_id: app.frameworkId,
    custom_commands: {},
    shared_directories: [],
    shared_files: [],
    zero_downtime: true,
    max_memory: null,
    output_directory: null,
    health_path: "/",
    health_status: null,
    start_timeout_seconds: 60,
    php_version: null,
    php: initialPhp,
    node_version: null,
    drain_timeout_seconds: 30,
    build_cache: true,
    kept_releases_mb: 5_000,
    discard_written_files: false,
    site: {
      domains: [{ domain_name: "shop.test", is_primary: true }],
      www_redirect: 0,
      redirect_status_code: 301,
      load_balancers: [],
      forwarders: [],
      trusted_proxies: [],
      balance: null,
      certificate: null,
      basic_auth_user: app.basicAuth ? "admin" : null,
      basic_auth_version: 1,
      redirects: [],
      max_upload_mb: 100,
      spa_fallback: null,
    },
    placement: { port_pair: 20_000, live_release_id: 4 },
  }) as unknown as PlacedProject;

function ofSites(): Plan[] {
  const { site } = project(8);
  const front = {
    ...site,
    kind: { family: "balanced" as const, nodes: [{ id: 7, address: "192.0.2.4" }] },
    balancer: undefined,
  };
  return [
    deployKeyPlan(layout, someIdentity),
    detectionPlan({ url: "https://git.test/shop.git", branch: "main" }),
    maintenancePlan(layout, true),
    maintenancePlan(layout, false),
    balancerSitePlan(front, someIdentity, "{}"),
    forwardingPlan(layout, forwarding),
    runJobPlan(layout, 3),
    restartJobPlan(layout, 4),
    requestPlan(layout, { id: 3, names: ["shop.test"], probe: { name: "probe", content: "x" } }),
    challengePlan(layout, [{ name: "token", content: "x" }]),
    installPlan({ id: 3, chain: "chain", uploaded: true, site, former: site, challenges: ["token"] }),
    cleanupPlan(layout, { keep: [3], upTo: 3, challenges: ["token"], orders: [3] }),
  ];
}

function ofServers(): Plan[] {
  const distribution = { id: "debian", version: "12" };
  const server = {
    distribution,
    declared: distribution,
    timezone: "Europe/Berlin",
    sshPort: 22,
    controlKey: "ssh-ed25519 AAAAcontrol longshore",
    nodeVersions: ["24"],
  };
  const search = { url: "https://example.com/search", sha256: "0".repeat(64) };
  const database = { name: "app", username: "app_user", mark: "longshore-database-7" };
  const setup = ([0, 1, 2, 3, 4] as const).flatMap((serverType) =>
    (["mariadb", "postgresql"] as const).map((databaseEngine) =>
      setupPlan({ ...server, serverType, databaseEngine, database, search, http3: true, peers: ["192.0.2.3"] }),
    ),
  );
  return [
    ...setup,
    rebootPlan,
    timezonePlan("Europe/Berlin"),
    sshKeysPlan([{ id: 3, public_key: "ssh-ed25519 AAAA" }]),
    peersPlan({ serverId: 1, serverType: 1, databaseEngine: "mariadb", sshPort: 22, peers: ["192.0.2.3"] }),
  ];
}

function ofDatabases(): Plan[] {
  return (["mariadb", "postgresql"] as const).flatMap((engine) => {
    const users = [
      { id: 3, username: "reports", exists: false, isRemoved: false },
      { id: 4, username: "former", exists: true, isRemoved: true },
    ];
    const own = { id: 12, engine, name: "shop", username: "shop_user", remote: true, users };
    const database = { ...own, exists: false, isAdopted: false, isEmptying: false };
    return [
      creationPlan(database),
      creationPlan({ ...database, exists: true, isEmptying: true }),
      creationPlan({ ...database, isAdopted: true }),
      removalPlan(database),
      removalPlan({ ...database, exists: true }),
      removalPlan({ ...database, isAdopted: true }),
      importPlan(5, { ...database, exists: true }),
      importPlan(6, { ...database, exists: true, isEmptying: true }),
    ];
  });
}

/** A plan of every kind that features make. */
export const allPlans: readonly Plan[] = [
  ...frameworks.flatMap(({ id }) => ofProject(project(id))),
  ...[4, 8, 10].flatMap((id) => ofProject(project(id, { zeroDowntime: false }))),
  ...ofSites(),
  ...ofApps(),
  ...ofServers(),
  ...ofDatabases(),
];
