import type { FastifyInstance } from "fastify";
import type { Context } from "./context.ts";
import { eventPlacement } from "./engine/events.ts";
import type { Kind } from "./engine/kind.ts";
import type { JobHandler } from "./engine/queue/worker.ts";
import { reconcileJobs, reconcileSchedules, targetRunKind } from "./engine/reconcile/apply.ts";
import type { AnyTargetKind } from "./engine/reconcile/target.ts";
import { retentionSchedules } from "./engine/retention.ts";
import { runJobs } from "./engine/runs/jobs.ts";
import { sealer } from "./engine/runs/last-ids.ts";
import { runCounts } from "./engine/runs/queries.ts";
import type { RunKind } from "./engine/runs/runs.ts";
import type { PeriodicTask, Schedule } from "./engine/schedule/schedule.ts";
import { workflowJobs, workflowSchedules } from "./engine/workflow/advance.ts";
import { workflowRunKinds } from "./engine/workflow/runs.ts";
import type { WorkflowKind } from "./engine/workflow/workflow.ts";
import { accountRoutes } from "./features/accounts/routes.ts";
import { appCapabilities, installingCapabilities } from "./features/apps/capabilities.ts";
import { appRunKinds, appSchedules, appTargets, appWorkflows } from "./features/apps/jobs.ts";
import { movingApps, recycleRefusal } from "./features/apps/moving.ts";
import { appRoutes } from "./features/apps/routes.ts";
import { appInstallKind } from "./features/apps/schema.ts";
import { auditHooks } from "./features/audit-log/hooks.ts";
import { auditLogSchedules } from "./features/audit-log/jobs.ts";
import { auditLogRoutes } from "./features/audit-log/routes.ts";
import { certificateCapabilities, certifyingCapabilities } from "./features/certificates/capabilities.ts";
import {
  certificateJobs,
  certificateSchedules,
  certificateTargets,
  certificateWorkflows,
} from "./features/certificates/jobs.ts";
import { describeCertificates, listLosses as listCertificateLosses } from "./features/certificates/queries.ts";
import { certificateRoutes } from "./features/certificates/routes.ts";
import {
  connectionCapabilities,
  machineCapabilities,
  snapshotCapabilities,
} from "./features/cloud-servers/capabilities.ts";
import { cloudServerSchedules, cloudServerWorkflows } from "./features/cloud-servers/jobs.ts";
import { orderKind } from "./features/cloud-servers/kinds.ts";
import { ordering } from "./features/cloud-servers/ordering.ts";
import { cloudServerRoutes } from "./features/cloud-servers/routes.ts";
import { commandCapabilities, runningCapabilities } from "./features/commands/capabilities.ts";
import { commandRunKinds } from "./features/commands/jobs.ts";
import { listLosses as listCommandLosses } from "./features/commands/queries.ts";
import { commandRoutes } from "./features/commands/routes.ts";
import { databaseCapabilities, hostingCapabilities } from "./features/databases/capabilities.ts";
import { databaseHooks } from "./features/databases/hooks.ts";
import { databaseRunKinds, databaseSchedules, databaseTargets } from "./features/databases/jobs.ts";
import { findOwnDatabase, listLosses as listDatabaseLosses } from "./features/databases/queries.ts";
import { databaseRoutes } from "./features/databases/routes.ts";
import { addOwnDatabase, settleOwnDatabase } from "./features/databases/service.ts";
import { deployingCapabilities, deploymentCapabilities } from "./features/deployments/capabilities.ts";
import { keepDeployments } from "./features/deployments/deleted-servers.ts";
import { deploymentHooks, describeDeployments, procedures } from "./features/deployments/hooks.ts";
import {
  deploymentCounts,
  deploymentJobs,
  deploymentRunKinds,
  deploymentSchedules,
  deploymentTargets,
} from "./features/deployments/jobs.ts";
import {
  hasUnendedOn,
  listLosses as listDeploymentLosses,
  listDeploymentRuns,
  lockUnended,
} from "./features/deployments/queries.ts";
import { releaseProcedures } from "./features/deployments/releases.ts";
import { deploymentRoutes } from "./features/deployments/routes.ts";
import { deploymentKind, releaseHold } from "./features/deployments/starting.ts";
import { eventSchedules } from "./features/events/jobs.ts";
import { eventRoutes } from "./features/events/routes.ts";
import { installationCertificateSchedules } from "./features/installation-certificates/jobs.ts";
import { mountForWebServer } from "./features/installation-certificates/web-server.ts";
import {
  addingJobsCapabilities,
  backgroundJobCapabilities,
  scheduledJobCapabilities,
} from "./features/jobs/capabilities.ts";
import { jobRunKinds, jobTargets } from "./features/jobs/jobs.ts";
import { listLosses as listJobLosses } from "./features/jobs/queries.ts";
import { jobRoutes } from "./features/jobs/routes.ts";
import { balancingCapabilities } from "./features/load-balancers/capabilities.ts";
import { loadBalancerRoutes } from "./features/load-balancers/routes.ts";
import { mountMcp } from "./features/mcp/endpoint.ts";
import { mcpSchedules } from "./features/mcp/jobs.ts";
import { heartbeatSchedules } from "./features/monitors/heartbeats/jobs.ts";
import { mountPings } from "./features/monitors/heartbeats/pings.ts";
import { monitorImportRoutes } from "./features/monitors/import/routes.ts";
import { monitorSchedules } from "./features/monitors/jobs.ts";
import { maintenanceSchedules } from "./features/monitors/maintenance-windows/jobs.ts";
import { maintenanceWindowRoutes } from "./features/monitors/maintenance-windows/routes.ts";
import { describeMonitors, listLosses as listMonitorLosses } from "./features/monitors/queries.ts";
import { monitorRoutes } from "./features/monitors/routes.ts";
import { refuseUncoveredMonitors } from "./features/monitors/transfer.ts";
import { movingCapabilities } from "./features/moves/capabilities.ts";
import { moveHooks } from "./features/moves/hooks.ts";
import { moveSchedules, moveTargets, moveWorkflows } from "./features/moves/jobs.ts";
import { moveProcedure } from "./features/moves/procedure.ts";
import { concernsServer, isClearing, isCopyingDatabases, isMoving, moveKinds } from "./features/moves/queries.ts";
import { moveRoutes } from "./features/moves/routes.ts";
import { channelCapabilities } from "./features/notifications/capabilities.ts";
import { notificationJobs, notificationSchedules } from "./features/notifications/jobs.ts";
import { notificationRoutes } from "./features/notifications/routes.ts";
import { memberCapabilities, organizationCapabilities } from "./features/organizations/capabilities.ts";
import { organizationJobs } from "./features/organizations/jobs.ts";
import { organizationRoutes } from "./features/organizations/routes.ts";
import { namesOf } from "./features/overview/activity/queries.ts";
import { overviewRoutes } from "./features/overview/routes.ts";
import { preferenceRoutes } from "./features/preferences/routes.ts";
import { processCheck } from "./features/processes/jobs.ts";
import { projectCapabilities } from "./features/projects/capabilities.ts";
import { ungroupProjectsOn } from "./features/projects/groups/queries.ts";
import { groupRoutes } from "./features/projects/groups/routes.ts";
import { projectHooks, siteHooks } from "./features/projects/hooks.ts";
import { projectRunKinds, projectTargets } from "./features/projects/jobs.ts";
import { phpRoutes } from "./features/projects/php/routes.ts";
import { listLosses as listProjectLosses, removePinsOutside } from "./features/projects/queries.ts";
import { projectRoutes } from "./features/projects/routes.ts";
import { serverCapabilities } from "./features/servers/capabilities.ts";
import { orderHooks, serverChecks, serverHooks } from "./features/servers/hooks.ts";
import { serverCounts, serverJobs, serverRunKinds, serverSchedules, serverTargets } from "./features/servers/jobs.ts";
import { serverRoutes } from "./features/servers/routes.ts";
import { signInDescriptions } from "./features/sign-in/descriptions.ts";
import { deviceAuthorizationRoutes } from "./features/sign-in/device-authorizations/routes.ts";
import { signInSchedules } from "./features/sign-in/jobs.ts";
import { signInLinkRoutes } from "./features/sign-in/links/routes.ts";
import { mailedLinkJobs } from "./features/sign-in/mailed-links/jobs.ts";
import { mailedLinkRoutes } from "./features/sign-in/mailed-links/routes.ts";
import { mountOAuth } from "./features/sign-in/oauth/endpoint.ts";
import { oauthRoutes } from "./features/sign-in/oauth/routes.ts";
import { mountSignIn } from "./features/sign-in/routes.ts";
import { setupRoutes } from "./features/sign-in/setup/routes.ts";
import { domainCapabilities } from "./features/sites/domains/capabilities.ts";
import { siteRunKinds, siteSchedules, siteTargets } from "./features/sites/jobs.ts";
import { beginPublication, beginSiteChange, followSiteChange } from "./features/sites/publish.ts";
import { listLosses as listDomainLosses } from "./features/sites/queries.ts";
import { siteRoutes } from "./features/sites/routes.ts";
import { sourceCapabilities } from "./features/sources/capabilities.ts";
import { sourceHooks } from "./features/sources/hooks.ts";
import { sourceSchedules, sourceTargets } from "./features/sources/jobs.ts";
import { sourceRoutes } from "./features/sources/routes.ts";
import { accessCapabilities } from "./features/ssh-keys/capabilities.ts";
import { sshKeySchedules, sshKeyTargets } from "./features/ssh-keys/jobs.ts";
import { sshKeyRoutes } from "./features/ssh-keys/routes.ts";
import { mountStatusPages } from "./features/status-pages/publish.ts";
import { statusPageRoutes } from "./features/status-pages/routes.ts";
import { actionRoutes } from "./http/actions.ts";
import type { CapabilityTable } from "./http/capabilities.ts";
import type { Route } from "./http/route.ts";
import type { Hook } from "./lib/hooks.ts";
import type { Counts } from "./lib/metrics.ts";

/** The parts of a feature: its routes, the kinds of its runs, its jobs, targets, workflows and schedules. */
export interface Feature {
  name: string;
  routes?: readonly Route[];
  /** What can be done to its records in which state. */
  capabilities?: readonly { table: CapabilityTable<Record<string, unknown>> }[];
  /** Adds handlers to the HTTP application that are not API routes. */
  mount?: (app: FastifyInstance, ctx: Context) => void;
  /** Those of these handlers that the OpenAPI document has. */
  described?: readonly Route[];
  runKinds?: (ctx: Context) => readonly RunKind[];
  jobs?: (ctx: Context) => readonly JobHandler[];
  /** The desired states of its servers and outside services, as targets of engine/reconcile. */
  targets?: (ctx: Context) => readonly AnyTargetKind[];
  workflows?: (ctx: Context) => readonly WorkflowKind[];
  schedules?: (ctx: Context) => readonly Schedule[];
  /** Its runs that stay, without their output, when they are old. */
  keptRuns?: readonly Kind[];
  /** Its workflows of which records show the newest, however old it is. */
  keptWorkflows?: readonly Kind[];
  /** Its records by state, for Prometheus. */
  counts?: (ctx: Context) => readonly Counts[];
  /** What it adds to hook points of the features above it. */
  hooks?: readonly Hook[];
}

/** All features, in dependency order: a feature may use those above it. */
export const features: readonly Feature[] = [
  { name: "accounts", routes: accountRoutes },
  { name: "events", routes: eventRoutes, schedules: eventSchedules },
  {
    name: "organizations",
    routes: organizationRoutes,
    capabilities: [organizationCapabilities, memberCapabilities],
    jobs: organizationJobs,
  },
  { name: "audit-log", routes: auditLogRoutes, schedules: auditLogSchedules },
  { name: "preferences", routes: preferenceRoutes },
  {
    name: "sign-in",
    routes: [...setupRoutes, ...signInLinkRoutes, ...mailedLinkRoutes, ...deviceAuthorizationRoutes, ...oauthRoutes],
    mount: (app, ctx) => {
      mountSignIn(app, ctx);
      mountOAuth(app, ctx);
    },
    described: signInDescriptions,
    jobs: mailedLinkJobs,
    schedules: signInSchedules,
  },
  {
    name: "notifications",
    capabilities: [channelCapabilities],
    routes: notificationRoutes,
    jobs: notificationJobs,
    schedules: notificationSchedules,
  },
  { name: "placements" },
  { name: "site-records" },
  {
    name: "servers",
    routes: serverRoutes,
    capabilities: [serverCapabilities],
    runKinds: serverRunKinds,
    jobs: serverJobs,
    targets: serverTargets,
    schedules: serverSchedules,
    counts: serverCounts,
  },
  {
    name: "cloud-servers",
    routes: cloudServerRoutes,
    capabilities: [machineCapabilities, snapshotCapabilities, connectionCapabilities],
    workflows: cloudServerWorkflows,
    schedules: cloudServerSchedules,
    keptWorkflows: [orderKind],
    hooks: [orderHooks(ordering)],
  },
  {
    name: "ssh-keys",
    routes: sshKeyRoutes,
    capabilities: [accessCapabilities],
    targets: sshKeyTargets,
    schedules: sshKeySchedules,
  },
  {
    name: "databases",
    capabilities: [hostingCapabilities, databaseCapabilities],
    routes: databaseRoutes,
    runKinds: databaseRunKinds,
    targets: databaseTargets,
    hooks: [
      serverHooks({
        findOwnDatabase,
        onAdded: addOwnDatabase,
        onSetUp: settleOwnDatabase,
        listLosses: listDatabaseLosses,
      }),
    ],
    schedules: databaseSchedules,
  },
  {
    name: "sources",
    routes: sourceRoutes,
    capabilities: [sourceCapabilities],
    targets: sourceTargets,
    schedules: sourceSchedules,
  },
  {
    name: "projects",
    routes: [...projectRoutes, ...phpRoutes, ...groupRoutes],
    capabilities: [projectCapabilities],
    runKinds: projectRunKinds,
    targets: projectTargets,
    hooks: [
      serverHooks({ beforeTransfer: ungroupProjectsOn, listLosses: listProjectLosses }),
      serverHooks({ beforeTransfer: removePinsOutside }),
    ],
  },
  {
    name: "sites",
    routes: siteRoutes,
    capabilities: [domainCapabilities],
    runKinds: siteRunKinds,
    targets: siteTargets,
    schedules: siteSchedules,
    hooks: [
      serverHooks({ listLosses: listDomainLosses }),
      projectHooks({ listLosses: listDomainLosses }),
      siteHooks({ beginChange: beginSiteChange, follow: beginPublication, followChange: followSiteChange }),
    ],
  },
  {
    name: "jobs",
    routes: jobRoutes,
    capabilities: [addingJobsCapabilities, scheduledJobCapabilities, backgroundJobCapabilities],
    runKinds: jobRunKinds,
    targets: jobTargets,
    hooks: [serverHooks({ listLosses: listJobLosses }), projectHooks({ listLosses: listJobLosses })],
  },
  {
    name: "certificates",
    capabilities: [certifyingCapabilities, certificateCapabilities],
    routes: certificateRoutes,
    jobs: certificateJobs,
    targets: certificateTargets,
    workflows: certificateWorkflows,
    schedules: certificateSchedules,
    hooks: [
      serverHooks({ listLosses: listCertificateLosses }),
      projectHooks({ describe: describeCertificates, listLosses: listCertificateLosses }),
    ],
  },
  {
    name: "installation-certificates",
    schedules: installationCertificateSchedules,
    mount: mountForWebServer,
  },
  {
    name: "deployments",
    capabilities: [deploymentCapabilities, deployingCapabilities],
    routes: deploymentRoutes,
    runKinds: deploymentRunKinds,
    jobs: deploymentJobs,
    targets: deploymentTargets,
    schedules: deploymentSchedules,
    keptRuns: [deploymentKind],
    counts: deploymentCounts,
    hooks: [
      serverHooks({ beforeDeletion: keepDeployments, listLosses: listDeploymentLosses }),
      sourceHooks({ onKeysSettled: releaseHold, usesKey: hasUnendedOn }),
      projectHooks({
        describe: describeDeployments,
        listLosses: listDeploymentLosses,
        lockForDeletion: lockUnended,
        listActiveRuns: listDeploymentRuns,
      }),
      ...releaseProcedures.map(procedures),
    ],
  },
  {
    name: "moves",
    capabilities: [movingCapabilities],
    routes: moveRoutes,
    targets: moveTargets,
    workflows: moveWorkflows,
    schedules: moveSchedules,
    keptRuns: moveKinds,
    hooks: [
      serverHooks({ isMoving: concernsServer }),
      databaseHooks({ isCopying: isCopyingDatabases }),
      projectHooks({ isMoving, clears: isClearing }),
      procedures(moveProcedure),
    ],
  },
  { name: "processes", hooks: [serverChecks(processCheck)] },
  {
    name: "commands",
    routes: commandRoutes,
    capabilities: [runningCapabilities, commandCapabilities],
    runKinds: commandRunKinds,
    hooks: [serverHooks({ listLosses: listCommandLosses }), projectHooks({ listLosses: listCommandLosses })],
  },
  {
    name: "load-balancers",
    routes: loadBalancerRoutes,
    capabilities: [balancingCapabilities],
  },
  {
    name: "apps",
    capabilities: [installingCapabilities, appCapabilities],
    routes: appRoutes,
    runKinds: appRunKinds,
    targets: appTargets,
    workflows: appWorkflows,
    schedules: appSchedules,
    keptWorkflows: [appInstallKind],
    hooks: [deploymentHooks({ recycleRefusal }), moveHooks(movingApps)],
  },
  {
    name: "monitors",
    routes: [...monitorRoutes, ...monitorImportRoutes, ...maintenanceWindowRoutes],
    mount: mountPings,
    hooks: [
      serverHooks({ beforeTransfer: refuseUncoveredMonitors, listLosses: listMonitorLosses }),
      projectHooks({ describe: describeMonitors, listLosses: listMonitorLosses }),
    ],
    schedules: (ctx) => [...monitorSchedules(ctx), ...heartbeatSchedules(ctx), ...maintenanceSchedules(ctx)],
  },
  { name: "status-pages", routes: statusPageRoutes, mount: mountStatusPages },
  { name: "overview", routes: overviewRoutes, hooks: [auditHooks({ namesOf })] },
  { name: "mcp", mount: mountMcp, schedules: mcpSchedules },
];

export function routesOf(): Route[] {
  const routes = features.flatMap((feature) => feature.routes ?? []);
  return [...routes, ...actionRoutes(capabilityTables(), routes)];
}

export const descriptionsOf = (): Route[] => features.flatMap((feature) => feature.described ?? []);

export const capabilityTables = (): CapabilityTable<Record<string, unknown>>[] =>
  features.flatMap((feature) => (feature.capabilities ?? []).map(({ table }) => table));

/** What features add to those above them, in the order of the features; the context has it. */
export const hooksOf = (): Hook[] => features.flatMap((feature) => feature.hooks ?? []);

/** The kinds of work that all features declare; those of runs include the runs of targets and workflows. */
export function kindsOf(ctx: Context) {
  const targets = features.flatMap((feature) => feature.targets?.(ctx) ?? []);
  const workflows = features.flatMap((feature) => feature.workflows?.(ctx) ?? []);
  const runs = [
    ...features.flatMap((feature) => feature.runKinds?.(ctx) ?? []),
    ...targets.flatMap((target) => ("call" in target ? [] : targetRunKind(ctx, target))),
    ...workflows.flatMap((workflow) => workflowRunKinds(ctx, workflow)),
  ];
  return { runs, targets, workflows };
}

/** The workers' jobs: every feature's own, and those of all declared runs, targets and workflows. */
export function jobsOf(ctx: Context): JobHandler[] {
  const { runs, targets, workflows } = kindsOf(ctx);
  const follow = {
    pool: ctx.pool,
    hosts: ctx.hosts,
    log: ctx.log,
    seal: sealer(ctx),
    kinds: new Map(runs.map((kind) => [kind.kind, kind])),
    unreachableAfterMs: ctx.config.unreachableAfterSeconds * 1_000,
    abandonAfterMs: ctx.config.abandonAfterHours * 3_600_000,
  };
  return [
    ...runJobs(follow),
    ...reconcileJobs(ctx, targets),
    ...workflowJobs(ctx, workflows),
    ...features.flatMap((feature) => feature.jobs?.(ctx) ?? []),
  ];
}

/** The schedules of all features and of the engine. */
export const schedulesOf = (ctx: Context): Schedule[] => [
  eventPlacement(ctx),
  ...reconcileSchedules(ctx),
  ...workflowSchedules(ctx),
  ...retentionSchedules(ctx.pool, ctx.config.logRetentionDays, {
    runs: features.flatMap((feature) => feature.keptRuns ?? []),
    workflows: features.flatMap((feature) => feature.keptWorkflows ?? []),
  }),
  ...features.flatMap((feature) => feature.schedules?.(ctx) ?? []),
];

/** The counts for Prometheus from the database: every feature's records, and the engine's runs and jobs. */
export const countsOf = (ctx: Context): Counts[] => [
  ...runCounts(ctx.pool),
  ...ctx.queue.counts(),
  ...features.flatMap((feature) => feature.counts?.(ctx) ?? []),
];

/** A periodic task by its name. Throws if there is none. */
export function periodicTask(ctx: Context, name: string): PeriodicTask {
  const task = schedulesOf(ctx).find((schedule) => schedule.name === name);
  if (!task || "hold" in task || "claim" in task) throw new Error(`There is no periodic task ${name}`);
  return task;
}
