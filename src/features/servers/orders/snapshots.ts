import { randomBytes } from "node:crypto";
import type { PoolClient } from "pg";
import type { Context } from "../../../context.ts";
import { transaction } from "../../../db/transaction.ts";
import { startWorkflow } from "../../../engine/workflow/start.ts";
import type { Work, Workflow, WorkflowKind } from "../../../engine/workflow/workflow.ts";
import { pageOf, paginated, totalOf } from "../../../http/pagination.ts";
import type { RequestContext } from "../../../http/route.ts";
import { AppError, notFound } from "../../../lib/errors.ts";
import { cloudForWork } from "../providers/connection.ts";
import { getOwner, holdProvider } from "../providers/queries.ts";
import { serverStatus } from "../schema.ts";
import { snapshotKind, snapshotRemovalKind } from "./kinds.ts";
import {
  countVisibleSnapshots,
  deleteSnapshotRow,
  findSnapshot,
  findVisibleSnapshot,
  insertSnapshot,
  listVisibleSnapshots,
  lockVisibleSnapshot,
  moveSnapshot,
  saveImage,
} from "./queries.ts";
import { machineOf } from "./resize.ts";
import type { SnapshotRow } from "./schema.ts";

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

/** Makes an image of a server's machine, from which others are ordered. */
export async function requestSnapshot(ctx: RequestContext, id: number, { name }: { name: string }) {
  const { server, order, cloud } = await machineOf(ctx, id);
  if (server.server_status !== serverStatus.provisioned) throw refused(`${server.name} is not set up yet.`);
  const snapshot = await transaction(ctx.pool, async (tx) => {
    if (!(await holdProvider(tx, cloud.provider.id))) throw refused("The connection to the provider was deleted.");
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
      kind: snapshotKind,
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
    const moved = await moveSnapshot(tx, id, ["ready", "failed", "left"], { state: "deleting" });
    if (!moved)
      throw refused(`The snapshot ${found.name} is being ${found.state === "creating" ? "made" : "deleted"}.`);
    await startWorkflow(tx, ctx.queue, {
      kind: snapshotRemovalKind,
      subjectId: id,
      organizationId: found.organization_id,
      data: {},
    });
    return found;
  });
  return { message: `The snapshot ${snapshot.name} is being deleted at the provider.` };
}

const refused = (message: string) => new AppError("refused", message);

// The work ---------------------------------------------------------------------------------------------------------------

type SnapshotWork = Work<Record<string, never>>;

const hour = 3_600_000;

export const snapshotWorkflows = (ctx: Context): WorkflowKind<Record<string, never>>[] => [
  {
    kind: snapshotKind,
    phases: [
      {
        name: "image",
        label: "Make the image",
        until: (work) => makeImage(ctx, work),
        everyMs: 5_000,
        timeoutMs: 2 * hour,
        undo: (work) => removeImage(ctx, work),
      },
    ],
    onEnded: settleSnapshot,
  },
  {
    kind: snapshotRemovalKind,
    phases: [
      {
        name: "remove",
        label: "Delete the image",
        call: (work) => removeImage(ctx, work),
        timeoutMs: 7 * 24 * hour,
      },
    ],
    onEnded: settleSnapshotRemoval,
  },
];

async function open(ctx: Context, { workflow, signal }: SnapshotWork) {
  const snapshot = await findSnapshot(ctx.pool, workflow.subjectId);
  if (!snapshot) throw new AppError("refused", "The snapshot was deleted.", { permanent: true });
  const { driver, access } = await cloudForWork(ctx, snapshot.provider_id, signal);
  return { snapshot, driver, access };
}

async function makeImage(ctx: Context, work: SnapshotWork): Promise<true | undefined> {
  const { snapshot, driver, access } = await open(ctx, work);
  const ref = { id: snapshot.server_ref, location: snapshot.location };
  const image = await driver.ensureImage(access, ref, { key: snapshot.key, owner: await getOwner(ctx.pool) });
  const { id } = image;
  if (id !== null && id !== snapshot.image_id)
    await work.save({}, async (tx) => void (await saveImage(tx, snapshot.id, id)));
  return image.isReady && id !== null ? true : undefined;
}

async function removeImage(ctx: Context, work: SnapshotWork): Promise<void> {
  const { snapshot, driver, access } = await open(ctx, work);
  const { image_id: id, location } = snapshot;
  if (id !== null) await driver.removeImage(access, { id, location });
}

async function settleSnapshot(tx: PoolClient, { state, subjectId, error }: Workflow): Promise<void> {
  await moveSnapshot(
    tx,
    subjectId,
    ["creating"],
    state === "succeeded" ? { state: "ready" } : { state: "failed", error: error ?? "The image could not be made." },
  );
}

async function settleSnapshotRemoval(tx: PoolClient, { state, subjectId, error }: Workflow): Promise<void> {
  if (state === "succeeded") await deleteSnapshotRow(tx, subjectId);
  else await moveSnapshot(tx, subjectId, ["deleting"], { state: "left", error });
}
