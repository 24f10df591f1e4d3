import { randomBytes } from "node:crypto";
import { transaction } from "../../../db/transaction.ts";
import { startWorkflow } from "../../../engine/workflow/start.ts";
import { pageOf, paginated, totalOf } from "../../../http/pagination.ts";
import type { RequestContext } from "../../../http/route.ts";
import { notFound } from "../../../lib/errors.ts";
import { machineCapabilities, snapshotCapabilities } from "../capabilities.ts";
import { snapshotKind, snapshotRemovalKind } from "../kinds.ts";
import { holdProvider } from "../providers/queries.ts";
import { machineOf } from "../resize.ts";
import type { SnapshotRow } from "../schema.ts";
import {
  countVisibleSnapshots,
  findVisibleSnapshot,
  insertSnapshot,
  listVisibleSnapshots,
  lockVisibleSnapshot,
  moveSnapshot,
} from "./queries.ts";

const snapshotsPerPage = 25;

export async function showSnapshots(ctx: RequestContext, query: { page?: unknown; per_page?: unknown }) {
  const page = pageOf(query, snapshotsPerPage);
  const snapshots = await listVisibleSnapshots(ctx.pool, ctx.actor, page);
  const total = await totalOf(page, snapshots, () => countVisibleSnapshots(ctx.pool, ctx.actor));
  return paginated(page, total, snapshots.map(snapshotRecord));
}

export async function showSnapshot(ctx: RequestContext, id: number) {
  const snapshot = await findVisibleSnapshot(ctx.pool, ctx.actor, id);
  if (!snapshot) throw notFound("The snapshot");
  return snapshotRecord(snapshot);
}

const snapshotRecord = ({ key: _, server_ref: __, image_id: ___, organization_id: ____, ...shown }: SnapshotRow) =>
  shown;

/** Makes an image of a server's machine, from which others can be ordered. */
export async function requestSnapshot(ctx: RequestContext, id: number, { name }: { name: string }) {
  const { server, order, cloud } = await machineOf(ctx, id, "snapshot");
  const snapshot = await transaction(ctx.pool, async (tx) => {
    if (!(await holdProvider(tx, cloud.provider.id)))
      throw machineCapabilities.refusal("snapshot", "connection_deleted");
    const made = await insertSnapshot(tx, {
      organizationId: ctx.actor.organizationId,
      providerId: cloud.provider.id,
      serverId: id,
      name,
      key: `image-${randomBytes(8).toString("hex")}`,
      location: order.location,
      serverRef: order.server_ref,
    });
    await startWorkflow(tx, ctx.queue, {
      ...snapshotKind,
      subjectId: made.id,
      organizationId: ctx.actor.organizationId,
      data: {},
    });
    return made;
  });
  return { message: `The snapshot ${name} of ${server.name} is being made.`, data: snapshotRecord(snapshot) };
}

/** Deletes an image at the provider, and then its record. */
export async function deleteSnapshot(ctx: RequestContext, id: number) {
  const snapshot = await transaction(ctx.pool, async (tx) => {
    const found = await lockVisibleSnapshot(tx, ctx.actor, id);
    if (!found) throw notFound("The snapshot");
    await snapshotCapabilities.refuse("delete", found);
    const moved = await moveSnapshot(tx, id, ["ready", "failed", "left"], { state: "deleting" });
    if (!moved) throw new Error(`Snapshot ${id} is locked and was ${found.state}`);
    await startWorkflow(tx, ctx.queue, {
      ...snapshotRemovalKind,
      subjectId: id,
      organizationId: found.organization_id,
      data: {},
    });
    return found;
  });
  return { message: `The snapshot ${snapshot.name} is being deleted at the provider.` };
}
