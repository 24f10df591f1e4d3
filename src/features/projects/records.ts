import { syncOfAll } from "../../engine/reconcile/target.ts";
import { projectLayout } from "../../host/layout.ts";
import { type Actor, can } from "../accounts/reach.ts";
import { type Described, describeProjects } from "./hooks.ts";
import { commandsOf, frameworkOf } from "./on-server.ts";
import type { ProjectWithTargets } from "./queries.ts";
import type { ProjectSummary, SummaryRow } from "./schema.ts";

type Recording = { actor: Actor } & Parameters<typeof describeProjects>[0];

/** Projects as lists show them, with what later features know. */
export async function summariesOf(ctx: Recording, projects: readonly SummaryRow[]): Promise<ProjectSummary[]> {
  const describe = await describeProjects(ctx, idsOf(projects));
  return projects.map((project) => summary(ctx.actor, project, describe(project.id)));
}

/** Projects as the API shows them. */
export async function recordsOf(ctx: Recording, projects: readonly ProjectWithTargets[]) {
  const describe = await describeProjects(ctx, idsOf(projects));
  return projects.map((project) => ({
    ...project,
    ...summary(ctx.actor, project, describe(project.id)),
    ...details(project),
  }));
}

const idsOf = (projects: readonly SummaryRow[]): number[] => projects.map(({ id }) => id);

function summary(actor: Actor, project: SummaryRow, described: Described): ProjectSummary {
  const { server_name, ssl_is_enabled: isEncrypted, ...row } = project;
  const { id, label } = frameworkOf(project);
  const { certificate } = described;
  const isServed = isEncrypted && certificate !== null && servedStatuses.includes(certificate.status);
  return {
    ...row,
    ...described,
    url: `${isServed ? "https" : "http"}://${project.primary_domain}`,
    server: { id: project.server_id, name: server_name },
    framework: { id, label },
    auto_deploy_is_active: flag(project.auto_deploy_is_active),
    monitors: can(actor, "monitor:read") ? described.monitors : null,
  };
}

/** Active and expired: browsers get the certificate, whatever they think of it. */
const servedStatuses: readonly number[] = [1, 3];

/** With the contract's odd types: flags as 0 and 1, the port as a string. */
const details = ({ targets, ...project }: ProjectWithTargets) => ({
  ssl_is_enabled: flag(project.ssl_is_enabled),
  always_rebuild_frontend: flag(project.always_rebuild_frontend),
  directory: projectLayout(project.id).directory,
  port: project.live_port === null ? null : String(project.live_port),
  domains: project.domains.map((domain) => ({
    ...domain,
    is_primary: flag(domain.is_primary),
    is_active: flag(domain.is_active),
  })),
  custom_commands: commandsOf(project.custom_commands, frameworkOf(project)),
  sync: syncOfAll(targets),
});

const flag = (value: boolean): 0 | 1 => (value ? 1 : 0);
