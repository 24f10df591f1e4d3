import type { FastifyInstance } from "fastify";
import type { Context } from "./context.ts";
import { runCounts } from "./engine/queries.ts";
import { reconcileJobs, reconcileSchedules, targetRunKind } from "./engine/reconcile/apply.ts";
import type { TargetKind } from "./engine/reconcile/target.ts";
import { runJobs } from "./engine/run-jobs.ts";
import type { RunKind } from "./engine/runs.ts";
import type { PeriodicTask, Schedule } from "./engine/schedule/schedule.ts";
import type { JobHandler } from "./engine/worker.ts";
import { workflowJobs, workflowSchedules } from "./engine/workflow/advance.ts";
import { workflowRunKinds } from "./engine/workflow/runs.ts";
import type { WorkflowKind } from "./engine/workflow/workflow.ts";
import { accountRoutes } from "./features/accounts/routes.ts";
import { appRunKinds, appSchedules, appTargets, appWorkflows } from "./features/apps/jobs.ts";
import { movingApps } from "./features/apps/moving.ts";
import { appRoutes } from "./features/apps/routes.ts";
import { auditLogSchedules } from "./features/audit-log/jobs.ts";
import { auditLogRoutes } from "./features/audit-log/routes.ts";
import {
  certificateJobs,
  certificateSchedules,
  certificateTargets,
  certificateWorkflows,
} from "./features/certificates/jobs.ts";
import { certificateRoutes } from "./features/certificates/routes.ts";
import { commandRunKinds } from "./features/commands/jobs.ts";
import { commandRoutes } from "./features/commands/routes.ts";
import { databaseRunKinds, databaseSchedules, databaseTargets } from "./features/databases/jobs.ts";
import { databaseRoutes } from "./features/databases/routes.ts";
import {
  deploymentCounts,
  deploymentJobs,
  deploymentRunKinds,
  deploymentSchedules,
} from "./features/deployments/jobs.ts";
import { deploymentRoutes } from "./features/deployments/routes.ts";
import { domainRoutes } from "./features/domains/routes.ts";
import { eventSchedules } from "./features/events/jobs.ts";
import { eventRoutes } from "./features/events/routes.ts";
import { groupRoutes } from "./features/groups/routes.ts";
import { jobRunKinds } from "./features/jobs/jobs.ts";
import { jobRoutes } from "./features/jobs/routes.ts";
import { loadBalancerSchedules } from "./features/load-balancers/jobs.ts";
import { loadBalancerRoutes } from "./features/load-balancers/routes.ts";
import { heartbeatSchedules } from "./features/monitors/heartbeats/jobs.ts";
import { mountPings } from "./features/monitors/heartbeats/pings.ts";
import { monitorImportRoutes } from "./features/monitors/import/routes.ts";
import { monitorSchedules } from "./features/monitors/jobs.ts";
import { maintenanceSchedules } from "./features/monitors/maintenance-windows/jobs.ts";
import { maintenanceWindowRoutes } from "./features/monitors/maintenance-windows/routes.ts";
import { monitorRoutes } from "./features/monitors/routes.ts";
import { notificationJobs, notificationSchedules } from "./features/notifications/jobs.ts";
import { notificationRoutes } from "./features/notifications/routes.ts";
import { organizationJobs } from "./features/organizations/jobs.ts";
import { organizationRoutes } from "./features/organizations/routes.ts";
import { preferenceRoutes } from "./features/preferences/routes.ts";
import { processCheck } from "./features/processes/jobs.ts";
import { projectJobs, projectRunKinds } from "./features/projects/jobs.ts";
import { projectRoutes } from "./features/projects/routes.ts";
import { serverCounts, serverJobs, serverRunKinds, serverSchedules, serverTargets } from "./features/servers/jobs.ts";
import { orderSchedules, serverWorkflows } from "./features/servers/orders/jobs.ts";
import { serverRoutes } from "./features/servers/routes.ts";
import { signInSchedules } from "./features/sign-in/jobs.ts";
import { mountSignIn } from "./features/sign-in/routes.ts";
import { sourceJobs, sourceSchedules } from "./features/sources/jobs.ts";
import { sourceRoutes } from "./features/sources/routes.ts";
import { sshKeySchedules, sshKeyTargets } from "./features/ssh-keys/jobs.ts";
import { sshKeyRoutes } from "./features/ssh-keys/routes.ts";
import { mountStatusPages } from "./features/status-pages/publish.ts";
import { statusPageRoutes } from "./features/status-pages/routes.ts";
import type { Route } from "./http/route.ts";
import type { Counts } from "./lib/metrics.ts";

/**
 * What a feature brings: its part of the API, what its runs mean, the jobs its workers do, and the targets and schedules they
 * define.
 */
export interface Feature {
  name: string;
  routes?: readonly Route[];
  /** Adds to the HTTP application what is no route of the API. */
  mount?: (app: FastifyInstance, ctx: Context) => void;
  runKinds?: (ctx: Context) => readonly RunKind[];
  jobs?: (ctx: Context) => readonly JobHandler[];
  /** What its servers are kept like, in the terms of engine/reconcile. */
  targets?: (ctx: Context) => readonly TargetKind[];
  workflows?: (ctx: Context) => readonly WorkflowKind[];
  schedules?: (ctx: Context) => readonly Schedule[];
  /** Its records by state, for Prometheus. */
  counts?: (ctx: Context) => readonly Counts[];
}

/** Everything the product does, in dependency order: a feature may use those above it. */
export const features: readonly Feature[] = [
  { name: "accounts", routes: accountRoutes },
  { name: "organizations", routes: organizationRoutes, jobs: organizationJobs },
  { name: "audit-log", routes: auditLogRoutes, schedules: auditLogSchedules },
  { name: "preferences", routes: preferenceRoutes },
  { name: "sign-in", mount: mountSignIn, schedules: signInSchedules },
  {
    name: "notifications",
    routes: notificationRoutes,
    jobs: notificationJobs,
    schedules: notificationSchedules,
  },
  {
    name: "servers",
    routes: serverRoutes,
    runKinds: serverRunKinds,
    jobs: serverJobs,
    targets: serverTargets,
    workflows: serverWorkflows,
    schedules: (ctx) => [...serverSchedules(ctx, processCheck), ...orderSchedules(ctx)],
    counts: serverCounts,
  },
  { name: "ssh-keys", routes: sshKeyRoutes, targets: sshKeyTargets, schedules: sshKeySchedules },
  {
    name: "databases",
    routes: databaseRoutes,
    runKinds: databaseRunKinds,
    targets: databaseTargets,
    schedules: databaseSchedules,
  },
  { name: "groups", routes: groupRoutes },
  { name: "sources", routes: sourceRoutes, jobs: sourceJobs, schedules: sourceSchedules },
  { name: "projects", routes: projectRoutes, runKinds: projectRunKinds, jobs: projectJobs },
  { name: "jobs", routes: jobRoutes, runKinds: jobRunKinds },
  { name: "domains", routes: domainRoutes },
  {
    name: "certificates",
    routes: certificateRoutes,
    jobs: certificateJobs,
    targets: certificateTargets,
    workflows: certificateWorkflows,
    schedules: certificateSchedules,
  },
  {
    name: "deployments",
    routes: deploymentRoutes(movingApps),
    runKinds: (ctx) => deploymentRunKinds(ctx, movingApps),
    jobs: deploymentJobs,
    schedules: deploymentSchedules,
    counts: deploymentCounts,
  },
  { name: "processes" },
  { name: "commands", routes: commandRoutes, runKinds: commandRunKinds },
  { name: "load-balancers", routes: loadBalancerRoutes, schedules: loadBalancerSchedules },
  {
    name: "apps",
    routes: appRoutes,
    runKinds: appRunKinds,
    targets: appTargets,
    workflows: appWorkflows,
    schedules: appSchedules,
  },
  {
    name: "monitors",
    routes: [...monitorRoutes, ...monitorImportRoutes, ...maintenanceWindowRoutes],
    mount: mountPings,
    schedules: (ctx) => [...monitorSchedules(ctx), ...heartbeatSchedules(ctx), ...maintenanceSchedules(ctx)],
  },
  { name: "status-pages", routes: statusPageRoutes, mount: mountStatusPages },
  { name: "events", routes: eventRoutes, schedules: eventSchedules },
];

export const routesOf = (): Route[] => features.flatMap((feature) => feature.routes ?? []);

/** What the workers do: every feature's jobs, and the runs, targets and workflows that all of them declare. */
export function jobsOf(ctx: Context): JobHandler[] {
  const targets = features.flatMap((feature) => feature.targets?.(ctx) ?? []);
  const workflows = features.flatMap((feature) => feature.workflows?.(ctx) ?? []);
  const kinds = [
    ...features.flatMap((feature) => feature.runKinds?.(ctx) ?? []),
    ...targets.map((target) => targetRunKind(ctx, target)),
    ...workflows.flatMap((workflow) => workflowRunKinds(ctx, workflow)),
  ];
  const follow = {
    pool: ctx.pool,
    hosts: ctx.hosts,
    log: ctx.log,
    kinds: new Map(kinds.map((kind) => [kind.kind, kind])),
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

/** What is due at some time: every feature's schedules, and those of the engine. */
export const schedulesOf = (ctx: Context): Schedule[] => [
  ...reconcileSchedules(ctx),
  ...workflowSchedules(ctx),
  ...features.flatMap((feature) => feature.schedules?.(ctx) ?? []),
];

/** What Prometheus can read of the database: every feature's records, and the runs and jobs of the engine. */
export const countsOf = (ctx: Context): Counts[] => [
  ...runCounts(ctx.pool),
  ...ctx.queue.counts(),
  ...features.flatMap((feature) => feature.counts?.(ctx) ?? []),
];

/** A periodic task by its name. Throws when there is none. */
export function periodicTask(ctx: Context, name: string): PeriodicTask {
  const task = schedulesOf(ctx).find((schedule) => schedule.name === name);
  if (!task || "hold" in task || "claim" in task) throw new Error(`There is no periodic task ${name}`);
  return task;
}
