import type { PoolClient } from "pg";
import type { Db } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import { allPermissions } from "../../http/actor.ts";
import { refuseChanged } from "../../http/expected.ts";
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
import { memberCapabilities, organizationCapabilities } from "./capabilities.ts";
import {
  countMembers,
  countOtherFullOwners,
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

async function getOrganization(
  { pool, actor }: Pick<CallerContext, "actor"> & { pool: Db },
  id: number,
): Promise<OrganizationRow> {
  const organization = await findOwnOrganization(pool, actor, id);
  if (!organization) throw notFound("The organization");
  return organization;
}

/** The caller becomes its Owner. It starts on the plan of LONGSHORE_DEFAULT_PLAN. */
export async function createOrganization(ctx: CallerContext, name: string): Promise<OrganizationRow> {
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
  const { organizationId } = ctx.actor;
  await transaction(ctx.pool, async (tx) => {
    await lockOrganization(tx, organizationId);
    refuseChanged(ctx, await getOrganization({ pool: tx, actor: ctx.actor }, organizationId));
    await renameOrganization(tx, organizationId, name);
  });
  return showOrganization(ctx);
}

/** Sets the organization of the account's requests that name none. */
export async function switchOrganization(ctx: RequestContext): Promise<OrganizationRow> {
  await setCurrentOrganization(ctx.pool, ctx.actor.userId, ctx.actor.organizationId);
  return showOrganization(ctx);
}

export async function leaveOrganization(ctx: RequestContext): Promise<void> {
  const { organizationId, userId } = ctx.actor;
  await transaction(ctx.pool, async (tx) => {
    await lockOrganization(tx, organizationId);
    const member = await getMember(tx, ctx, userId);
    const organization = await getOrganization({ pool: tx, actor: ctx.actor }, organizationId);
    await organizationCapabilities.refuse("leave", organization, { last_owner: () => isLastOwner(tx, ctx, member) });
    await deleteMembership(tx, organizationId, userId);
  });
}

// Members --------------------------------------------------------------------------------------------------------------

export const showMembers = ({ pool, actor }: RequestContext, query: ListRequest) =>
  pageWith(
    query,
    (page) => listMembers(pool, actor, page),
    () => countMembers(pool, actor.organizationId),
  );

export const showMember = (ctx: RequestContext, userId: number): Promise<MemberRow> => getMember(ctx.pool, ctx, userId);

async function getMember(db: Db, { actor }: RequestContext, userId: number): Promise<MemberRow> {
  const member = await findMember(db, actor, userId);
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
    refuseChanged(ctx, member);
    const role = change.role ?? member.role;
    refuseForOwners(ctx, member.role, role);
    await memberCapabilities.refuse("update", member, {
      last_owner: async () => !staysFullOwner(member, change) && (await isLastOwner(tx, ctx, member)),
    });
    const wanted = change.restriction === undefined ? member.restriction : await checkedRestriction(tx, ctx, change);
    const restriction = wanted ? { serverIds: wanted.server_ids, projectIds: wanted.project_ids } : undefined;
    await saveMembership(tx, { userId, organizationId, role, restriction });
    return getMember(tx, ctx, userId);
  });
}

/** The member's tokens for this organization end as well. */
export async function removeMember(ctx: RequestContext, userId: number): Promise<void> {
  refuseRestricted(ctx);
  const { organizationId } = ctx.actor;
  await transaction(ctx.pool, async (tx) => {
    await lockOrganization(tx, organizationId);
    const member = await getMember(tx, ctx, userId);
    refuseForOwners(ctx, member.role);
    await memberCapabilities.refuse("remove", member, { last_owner: () => isLastOwner(tx, ctx, member) });
    await deleteMembership(tx, organizationId, userId);
  });
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

/** With the organization locked: whether without this Owner there is none who reaches everything. */
const isLastOwner = async (tx: PoolClient, { actor }: RequestContext, { user_id, role }: MemberRow): Promise<boolean> =>
  role === "Owner" && (await countOtherFullOwners(tx, actor.organizationId, user_id)) === 0;

/** False without a change: a rehearsal asks whether any would be refused. */
function staysFullOwner(member: MemberRow, { role, restriction }: MemberChange): boolean {
  if (role === undefined && restriction === undefined) return false;
  return (role ?? member.role) === "Owner" && (restriction === undefined ? member.restriction : restriction) === null;
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
