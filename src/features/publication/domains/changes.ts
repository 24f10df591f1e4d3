import type { PoolClient } from "pg";
import { emitEvent } from "../../../engine/events.ts";
import type { Run } from "../../../engine/runs/queries.ts";
import { emitUpdated } from "../../projects/events.ts";
import { lockProjectForWork } from "../../projects/queries.ts";
import type { ProjectRow } from "../../projects/schema.ts";
import { namesClaimed } from "../../sites/names.ts";
import { takenNames, writeDomains } from "../../sites/queries.ts";
import type { DomainSet } from "../../sites/schema.ts";
import { findOldestChange, settleDomainChanges } from "./queries.ts";

// Settles changes of domains that wait for a server's answer. Here, in the transaction that stores the answer, not in the
// request, which may have ended.

const accepted = { state: "accepted", reason: null } as const;

/** The web server serves the changes up to a version of the site's target; without one, all of them. */
export const acceptDomainChanges = (tx: PoolClient, projectId: number, upToVersion?: number): Promise<void> =>
  settleDomainChanges(tx, projectId, accepted, upToVersion);

/**
 * The web server rejected the present state of the project: restores the served set from before all open changes, as far as its
 * names are still free; returns whether it did. The reason states the result of the change.
 */
export async function takeBackDomainChanges(tx: PoolClient, run: Run): Promise<boolean> {
  const project = await lockProjectForWork(tx, run.subject_id);
  const oldest = project && (await findOldestChange(tx, project.id));
  if (!project || !oldest) return false;
  // A removed name may belong to another project by now, and stays there.
  const taken = await takenNames(tx, namesClaimed(oldest.before), project.id);
  const former = withoutNames(oldest.before, taken);
  const reason = `${outcomeOf(former, taken)} ${run.error ?? "The web server refused it."}`;
  await settleDomainChanges(tx, project.id, { state: "refused", reason });
  if (former === undefined) return false;
  await writeDomains(tx, project.id, former);
  await emitDomains(tx, project);
  return true;
}

// Undefined without the primary one: a project needs one, so it keeps its present names.
function withoutNames(former: DomainSet, taken: readonly string[]): DomainSet | undefined {
  if (taken.length === 0) return former;
  const domains = former.domains.filter(({ domain_name }) => !taken.includes(domain_name));
  return domains.some(({ is_primary }) => is_primary) ? { www_redirect: 0, domains } : undefined;
}

function outcomeOf(former: DomainSet | undefined, taken: readonly string[]): string {
  if (taken.length === 0) return "The change was taken back.";
  const whose = `${taken.join(", ")} ${taken.length === 1 ? "belongs" : "belong"} to another project by now.`;
  return former
    ? `The change was taken back, but for names that were given up: ${whose}`
    : `The change stays, and the web server serves the domains of before: the former primary domain cannot come back. ${whose}`;
}

/** The domains of a project changed, and with them its record. */
export async function emitDomains(
  tx: PoolClient,
  project: Pick<ProjectRow, "id" | "server_id" | "organization_id">,
): Promise<void> {
  await emitEvent(tx, {
    organizationId: project.organization_id,
    serverId: project.server_id,
    projectId: project.id,
    name: "domain.updated",
    data: {},
  });
  await emitUpdated(tx, project);
}
