import type { FastifyInstance } from "fastify";
import type { Context } from "./context.ts";
import { runJobs } from "./engine/run-jobs.ts";
import type { RunKind } from "./engine/runs.ts";
import type { Chore, JobHandler } from "./engine/worker.ts";
import { accountRoutes } from "./features/accounts/routes.ts";
import { auditLogChores } from "./features/audit-log/jobs.ts";
import { auditLogRoutes } from "./features/audit-log/routes.ts";
import { certificateChores, certificateJobs, certificateRunKinds } from "./features/certificates/jobs.ts";
import { certificateRoutes } from "./features/certificates/routes.ts";
import { deploymentChores, deploymentJobs, deploymentRunKinds } from "./features/deployments/jobs.ts";
import { deploymentRoutes } from "./features/deployments/routes.ts";
import { domainRoutes } from "./features/domains/routes.ts";
import { eventChores } from "./features/events/jobs.ts";
import { eventRoutes } from "./features/events/routes.ts";
import { groupRoutes } from "./features/groups/routes.ts";
import { jobRunKinds } from "./features/jobs/jobs.ts";
import { jobRoutes } from "./features/jobs/routes.ts";
import { loadBalancerChores } from "./features/load-balancers/jobs.ts";
import { loadBalancerRoutes } from "./features/load-balancers/routes.ts";
import { monitorRoutes } from "./features/monitors/routes.ts";
import { notificationChores, notificationJobs } from "./features/notifications/jobs.ts";
import { notificationRoutes } from "./features/notifications/routes.ts";
import { organizationJobs } from "./features/organizations/jobs.ts";
import { organizationRoutes } from "./features/organizations/routes.ts";
import { preferenceRoutes } from "./features/preferences/routes.ts";
import { projectJobs, projectRunKinds } from "./features/projects/jobs.ts";
import { projectRoutes } from "./features/projects/routes.ts";
import { serverChores, serverJobs, serverRunKinds } from "./features/servers/jobs.ts";
import { serverRoutes } from "./features/servers/routes.ts";
import { signInChores } from "./features/sign-in/jobs.ts";
import { mountSignIn } from "./features/sign-in/routes.ts";
import { sourceChores, sourceJobs } from "./features/sources/jobs.ts";
import { sourceRoutes } from "./features/sources/routes.ts";
import type { Route } from "./http/route.ts";

/** What a feature brings: its part of the API, what its runs mean, the jobs its workers do, and what they look after. */
export interface Feature {
  name: string;
  routes?: readonly Route[];
  /** Adds to the HTTP application what is no route of the API. */
  mount?: (app: FastifyInstance, ctx: Context) => void;
  runKinds?: (ctx: Context) => readonly RunKind[];
  jobs?: (ctx: Context) => readonly JobHandler[];
  chores?: (ctx: Context) => readonly Chore[];
}

/** Everything the product does, in dependency order: a feature may use those above it. */
export const features: readonly Feature[] = [
  { name: "accounts", routes: accountRoutes },
  { name: "organizations", routes: organizationRoutes, jobs: organizationJobs },
  { name: "audit-log", routes: auditLogRoutes, chores: auditLogChores },
  { name: "preferences", routes: preferenceRoutes },
  { name: "sign-in", mount: mountSignIn, chores: signInChores },
  {
    name: "notifications",
    routes: notificationRoutes,
    jobs: notificationJobs,
    chores: notificationChores,
  },
  { name: "servers", routes: serverRoutes, runKinds: serverRunKinds, jobs: serverJobs, chores: serverChores },
  { name: "groups", routes: groupRoutes },
  { name: "sources", routes: sourceRoutes, jobs: sourceJobs, chores: sourceChores },
  { name: "projects", routes: projectRoutes, runKinds: projectRunKinds, jobs: projectJobs },
  { name: "jobs", routes: jobRoutes, runKinds: jobRunKinds },
  { name: "domains", routes: domainRoutes },
  {
    name: "certificates",
    routes: certificateRoutes,
    runKinds: certificateRunKinds,
    jobs: certificateJobs,
    chores: certificateChores,
  },
  {
    name: "deployments",
    routes: deploymentRoutes,
    runKinds: deploymentRunKinds,
    jobs: deploymentJobs,
    chores: deploymentChores,
  },
  { name: "load-balancers", routes: loadBalancerRoutes, chores: loadBalancerChores },
  { name: "monitors", routes: monitorRoutes },
  { name: "events", routes: eventRoutes, chores: eventChores },
];

export const routesOf = (): Route[] => features.flatMap((feature) => feature.routes ?? []);

/** What the workers do: every feature's jobs, and the runs that all of them make. */
export function jobsOf(ctx: Context): JobHandler[] {
  const kinds = features.flatMap((feature) => feature.runKinds?.(ctx) ?? []);
  const follow = {
    pool: ctx.pool,
    hosts: ctx.hosts,
    log: ctx.log,
    kinds: new Map(kinds.map((kind) => [kind.kind, kind])),
    unreachableAfterMs: ctx.config.unreachableAfterSeconds * 1_000,
    abandonAfterMs: ctx.config.abandonAfterHours * 3_600_000,
  };
  return [...runJobs(follow), ...features.flatMap((feature) => feature.jobs?.(ctx) ?? [])];
}

export const choresOf = (ctx: Context): Chore[] => features.flatMap((feature) => feature.chores?.(ctx) ?? []);
