import type { Static } from "typebox";
import { transaction } from "../../../db/transaction.ts";
import { refuseChanged } from "../../../http/expected.ts";
import { pageOf, paginated } from "../../../http/pagination.ts";
import type { RequestContext } from "../../../http/route.ts";
import { notFound } from "../../../lib/errors.ts";
import { emitUpdated } from "../events.ts";
import {
  countGroups,
  deleteEmptyGroup,
  findGroup,
  insertGroup,
  listGroupProjects,
  listGroups,
  lockGroup,
  ungroupProjects,
  updateGroupRow,
} from "./queries.ts";
import type { GroupRequest, GroupUpdate } from "./schema.ts";

const groupsPerPage = 25;

export async function showGroups(ctx: RequestContext, query: { page?: unknown; per_page?: unknown }) {
  const page = pageOf(query, groupsPerPage);
  const [groups, total] = await Promise.all([listGroups(ctx.pool, ctx.actor, page), countGroups(ctx.pool, ctx.actor)]);
  return paginated(page, total, groups);
}

/** A group with its projects in reach; 404 if the group is out of reach. */
export async function showGroup(ctx: RequestContext, id: number) {
  const group = await findGroup(ctx.pool, ctx.actor, id);
  if (!group) throw groupNotFound();
  return { ...group, projects: await listGroupProjects(ctx.pool, ctx.actor, id) };
}

export async function createGroup(ctx: RequestContext, { name, description }: Static<typeof GroupRequest>) {
  const { organizationId } = ctx.actor;
  const data = await insertGroup(ctx.pool, { organizationId, name, description: description || null });
  return { message: `The project group ${name} was created.`, data };
}

/** Changes the given fields of a group; the rest stays. */
export async function updateGroup(ctx: RequestContext, id: number, body: Static<typeof GroupUpdate>) {
  const group = await transaction(ctx.pool, async (tx) => {
    const found = await lockGroup(tx, ctx.actor, id);
    if (!found) throw groupNotFound();
    refuseChanged(ctx, found);
    const description = body.description === undefined ? found.description : body.description || null;
    return updateGroupRow(tx, { id, name: body.name ?? found.name, description });
  });
  if (!group) throw groupNotFound();
  return { message: `The project group ${group.name} was updated.`, ...group, data: group };
}

/**
 * Deletes a group; its projects stay. Projects out of the actor's reach are not changed: the group stays for members who can see
 * them, but the actor no longer sees it.
 */
export async function deleteGroup(ctx: RequestContext, id: number) {
  return transaction(ctx.pool, async (tx) => {
    const group = await lockGroup(tx, ctx.actor, id);
    if (!group) throw groupNotFound();
    const ungrouped = await ungroupProjects(tx, ctx.actor, id);
    await deleteEmptyGroup(tx, id);
    const { organizationId: organization_id } = ctx.actor;
    for (const project of ungrouped) await emitUpdated(tx, { ...project, organization_id });
    const count = ungrouped.length;
    const projects = count === 1 ? "1 project was" : `${count} projects were`;
    return {
      message: `The project group ${group.name} was deleted. ${projects} ungrouped.`,
      ungrouped_projects: count,
    };
  });
}

export const groupMissing = "The project group does not exist.";

/** Why a project cannot be in a group. A group out of reach gets the same error as a missing one. */
export async function groupError(ctx: RequestContext, groupId: number | null | undefined): Promise<string | undefined> {
  if (groupId === null || groupId === undefined) return undefined;
  return (await findGroup(ctx.pool, ctx.actor, groupId)) ? undefined : groupMissing;
}

const groupNotFound = () => notFound("The project group");
