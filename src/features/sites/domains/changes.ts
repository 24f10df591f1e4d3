import type { PoolClient } from "pg";
import { emitEvent } from "../../../engine/events.ts";
import type { Run } from "../../../engine/runs/queries.ts";
import { emitUpdated, type ProjectRef } from "../../projects/events.ts";
import { lockProjectForWork } from "../../projects/queries.ts";
import type { PlacedProject } from "../../projects/schema.ts";
import { namesClaimed } from "../../site-records/names.ts";
import {
  findSiteBefore,
  setBasicAuth,
  setSsl,
  settleSiteChanges,
  takenNames,
  writeDomains,
  writeRedirects,
  writeSiteSettings,
} from "../../site-records/queries.ts";
import type { DomainSet, SiteBefore } from "../../site-records/schema.ts";

// Settles changes of sites that wait for a server's answer. Here, in the transaction that stores the answer, not in the
// request, which may have ended.

const accepted = { state: "accepted", reason: null } as const;

/** The web server serves the changes up to a version of the site's target; without one, all of them. */
export const acceptSiteChanges = (tx: PoolClient, projectId: number, upToVersion?: number): Promise<void> =>
  settleSiteChanges(tx, projectId, accepted, upToVersion);

/**
 * The web server rejected the present state of the project: restores what it serves, the values from before all open changes;
 * returns whether anything was restored. The reason states the result of the change.
 */
export async function takeBackSiteChanges(tx: PoolClient, run: Run): Promise<boolean> {
  const project = await lockProjectForWork(tx, run.subject_id);
  const replaced = project && (await findSiteBefore(tx, project.id));
  if (!project || !replaced) return false;
  const { domains, www_redirect, ...settings } = replaced.before;
  const former = domains && www_redirect !== undefined ? { domains, www_redirect } : undefined;
  const restored = former && (await restoreDomains(tx, project, former));
  await restoreSettings(tx, project, { before: settings, hash: replaced.hash });
  const reason = `${restored?.outcome ?? takenBack} ${run.error ?? "The web server refused it."}`;
  await settleSiteChanges(tx, project.id, { state: "refused", reason });
  return restored === undefined || restored.isRestored || Object.keys(settings).length > 0;
}

const takenBack = "The change was taken back.";

/** The served names, as far as they are still free. */
async function restoreDomains(tx: PoolClient, project: PlacedProject, before: DomainSet) {
  // A removed name may belong to another project by now, and stays there.
  const taken = await takenNames(tx, namesClaimed(before), project.id);
  const former = withoutNames(before, taken);
  if (former) {
    await writeDomains(tx, project.id, former);
    await emitDomains(tx, project);
  }
  return { outcome: outcomeOf(former, taken), isRestored: former !== undefined };
}

async function restoreSettings(
  tx: PoolClient,
  project: PlacedProject,
  { before, hash }: { before: SiteBefore; hash: Buffer | null },
): Promise<void> {
  if (Object.keys(before).length === 0) return;
  const { ssl_is_enabled: ssl, basic_auth_user: user, redirects } = before;
  await writeSiteSettings(tx, project.id, { ...project.site, ...before });
  if (ssl !== undefined) await setSsl(tx, project.id, ssl);
  if (user !== undefined) await setBasicAuth(tx, project.id, user === null || hash === null ? null : { user, hash });
  if (redirects !== undefined) await writeRedirects(tx, project.id, redirects);
  await emitUpdated(tx, project);
}

// Undefined without the primary one: a project needs one, so it keeps its present names.
function withoutNames(former: DomainSet, taken: readonly string[]): DomainSet | undefined {
  if (taken.length === 0) return former;
  const domains = former.domains.filter(({ domain_name }) => !taken.includes(domain_name));
  return domains.some(({ is_primary }) => is_primary) ? { www_redirect: 0, domains } : undefined;
}

function outcomeOf(former: DomainSet | undefined, taken: readonly string[]): string {
  if (taken.length === 0) return takenBack;
  const whose = `${taken.join(", ")} ${taken.length === 1 ? "belongs" : "belong"} to another project by now.`;
  return former
    ? `The change was taken back, but for names that were given up: ${whose}`
    : `The change stays, and the web server serves the domains of before: the former primary domain cannot come back. ${whose}`;
}

/** The domains of a project changed, and with them its record. */
export async function emitDomains(tx: PoolClient, project: ProjectRef): Promise<void> {
  await emitEvent(tx, {
    organizationId: project.organization_id,
    serverId: project.home_server_id,
    projectId: project.id,
    name: "domain.updated",
    data: {},
  });
  await emitUpdated(tx, project);
}
