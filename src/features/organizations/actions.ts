import type { PoolClient } from "pg";
import { transaction } from "../../db/transaction.ts";
import { allPermissions } from "../../http/actor.ts";
import { type PageRequest, pageOf, paginated } from "../../http/pagination.ts";
import type { CallerContext, RequestContext } from "../../http/route.ts";
import { AppError, invalid, notFound } from "../../lib/errors.ts";
import {
  addMembership,
  deleteMembership,
  createOrganization as insertOrganization,
  listForeignProjects,
  listForeignServers,
  renameOrganization,
  saveMembership,
  setCurrentOrganization,
} from "../accounts/queries.ts";
import type { Role } from "../accounts/schema.ts";
import { memberCapabilities } from "./capabilities.ts";
import {
  countFullOwners,
  countMembers,
  countOwnOrganizations,
  findMember,
  findOwnOrganization,
  listMembers,
  listOwnOrganizations,
  lockOrganization,
  type MemberRow,
  type OrganizationRow,
  type Restriction,
} from "./queries.ts";
import type { RestrictionOf } from "./schema.ts";

// The request runs in the organization of the path: `actor` has the caller's role and restriction there.

const perPage = 25;

export type ListRequest = { page?: unknown; per_page?: unknown };

/** A page of a list. */
export async function pageWith<Item>(
  query: ListRequest,
  list: (page: PageRequest) => Promise<Item[]>,
  countAll: () => Promise<number>,
) {
  const page = pageOf(query, perPage);
  const [items, total] = await Promise.all([list(page), countAll()]);
  return paginated(page, total, items);
}

// Organizations --------------------------------------------------------------------------------------------------------

export const listOrganizations = ({ pool, actor }: CallerContext, query: ListRequest) =>
  pageWith(
    query,
    (page) => listOwnOrganizations(pool, actor, page),
    () => countOwnOrganizations(pool, actor),
  );

export const showOrganization = (ctx: RequestContext): Promise<OrganizationRow> =>
  getOrganization(ctx, ctx.actor.organizationId);

async function getOrganization({ pool, actor }: RequestContext, id: number): Promise<OrganizationRow> {
  const organization = await findOwnOrganization(pool, actor, id);
  if (!organization) throw notFound("The organization");
  return organization;
}

/** The caller becomes its Owner. It starts on the plan of LONGSHORE_DEFAULT_PLAN. */
export async function createOrganization(ctx: RequestContext, name: string): Promise<OrganizationRow> {
  const { tokenPermissions, isBound } = ctx.actor;
  if (!tokenPermissions.includes(allPermissions) && !tokenPermissions.includes("organization:manage")) {
    throw new AppError("forbidden", "This needs the permission organization:manage, which your token does not have.");
  }
  if (isBound) throw new AppError("forbidden", "Your token is bound to one organization and cannot make another.");
  const { id } = await transaction(ctx.pool, async (tx) => {
    const organization = await insertOrganization(tx, name, { plan: ctx.config.defaultPlan });
    await addMembership(tx, ctx.actor.userId, organization.id, "Owner");
    return organization;
  });
  return getOrganization(ctx, id);
}

export async function updateOrganization(ctx: RequestContext, name: string): Promise<OrganizationRow> {
  await renameOrganization(ctx.pool, ctx.actor.organizationId, name);
  return showOrganization(ctx);
}

/** Sets the organization of the account's requests that name none. */
export async function switchOrganization(ctx: RequestContext): Promise<OrganizationRow> {
  await setCurrentOrganization(ctx.pool, ctx.actor.userId, ctx.actor.organizationId);
  return showOrganization(ctx);
}

export async function leaveOrganization({ pool, actor }: RequestContext): Promise<void> {
  await transaction(pool, (tx) => endMembership(tx, actor.organizationId, actor.userId));
}

// Members --------------------------------------------------------------------------------------------------------------

export const showMembers = ({ pool, actor }: RequestContext, query: ListRequest) =>
  pageWith(
    query,
    (page) => listMembers(pool, actor, page),
    () => countMembers(pool, actor.organizationId),
  );

async function getMember(tx: PoolClient, { actor }: RequestContext, userId: number): Promise<MemberRow> {
  const member = await findMember(tx, actor, userId);
  if (!member) throw notFound("The member");
  return member;
}

export interface MemberChange {
  role?: Role | undefined;
  /** Null: everything; undefined: as it is. */
  restriction?: RestrictionOf | undefined;
}

/** Changes role and restriction; both take effect with the member's next request. */
export async function updateMember(ctx: RequestContext, userId: number, change: MemberChange): Promise<MemberRow> {
  const { organizationId } = ctx.actor;
  refuseRestricted(ctx);
  return transaction(ctx.pool, async (tx) => {
    await lockOrganization(tx, organizationId);
    const member = await getMember(tx, ctx, userId);
    const role = change.role ?? member.role;
    refuseForOwners(ctx, member.role, role);
    const wanted = change.restriction === undefined ? member.restriction : await checkedRestriction(tx, ctx, change);
    const restriction = wanted ? { serverIds: wanted.server_ids, projectIds: wanted.project_ids } : undefined;
    await saveMembership(tx, { userId, organizationId, role, restriction });
    await refuseOwnerless(tx, organizationId, member.role);
    return getMember(tx, ctx, userId);
  });
}

/** The member's tokens for this organization end as well. */
export async function removeMember(ctx: RequestContext, userId: number): Promise<void> {
  refuseRestricted(ctx);
  const { organizationId } = ctx.actor;
  await transaction(ctx.pool, async (tx) => {
    await lockOrganization(tx, organizationId);
    refuseForOwners(ctx, (await getMember(tx, ctx, userId)).role);
    await endMembership(tx, organizationId, userId);
  });
}

// The role at the time of the removal counts, not the one at the begin of the request.
async function endMembership(tx: PoolClient, organizationId: number, userId: number): Promise<void> {
  await lockOrganization(tx, organizationId);
  const role = await deleteMembership(tx, organizationId, userId);
  if (role === undefined) throw notFound("The member");
  await refuseOwnerless(tx, organizationId, role);
}

// Refusals ---------------------------------------------------------------------------------------------------------------

/** For actions on the whole organization: with them, a restricted Admin could widen their own reach. */
export function refuseRestricted({ actor }: RequestContext, what = "members and invitations"): void {
  if (!actor.restriction) return;
  throw new AppError("forbidden", `Your membership is restricted, so you cannot decide about ${what}.`);
}

/** Otherwise an Admin would become an Owner, or remove them all. */
export function refuseForOwners({ actor }: RequestContext, ...touched: Role[]): void {
  if (actor.role === "Owner" || !touched.includes("Owner")) return;
  throw new AppError("forbidden", "Only an Owner can decide who is an Owner.");
}

/** Called after the change, with the lock held: an error rolls the change back. */
async function refuseOwnerless(tx: PoolClient, organizationId: number, formerRole: Role): Promise<void> {
  if (formerRole !== "Owner" || (await countFullOwners(tx, organizationId)) > 0) return;
  throw memberCapabilities.refusal("update", "last_owner");
}

/** The restriction, checked to have only ids of the organization. */
export async function checkedRestriction(
  db: PoolClient,
  { actor }: RequestContext,
  { restriction }: { restriction?: RestrictionOf | undefined },
): Promise<Restriction | null> {
  if (!restriction) return null;
  const { server_ids = [], project_ids = [] } = restriction;
  const servers = await listForeignServers(db, actor.organizationId, server_ids);
  const projects = await listForeignProjects(db, actor.organizationId, project_ids);
  const errors = {
    ...(servers.length > 0 && { "restriction.server_ids": `There is no server ${servers.join(", ")}.` }),
    ...(projects.length > 0 && { "restriction.project_ids": `There is no project ${projects.join(", ")}.` }),
  };
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return { server_ids: [...new Set(server_ids)], project_ids: [...new Set(project_ids)] };
}
