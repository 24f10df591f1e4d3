import type { PoolClient } from "pg";
import type { Context } from "../../../context.ts";
import type { Work, Workflow, WorkflowKind } from "../../../engine/workflow/workflow.ts";
import { AppError } from "../../../lib/errors.ts";
import type { ServerRef } from "../../../providers/cloud/driver.ts";
import { snapshotKind, snapshotRemovalKind } from "../kinds.ts";
import { type Cloud, cloudForWork } from "../providers/connection.ts";
import { getOwner } from "../providers/queries.ts";
import { deleteSnapshotRow, findSnapshot, moveSnapshot, saveImage } from "./queries.ts";

interface SnapshotData {
  /** The provider's action that makes the image. */
  action?: string;
  /** When the provider stopped showing the image. */
  missingAt?: number | null;
}

type SnapshotWork = Work<SnapshotData>;

const minute = 60_000;
const hour = 60 * minute;

export const snapshotWorkflows = (ctx: Context): WorkflowKind<SnapshotData>[] => [
  {
    ...snapshotKind,
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
    ...snapshotRemovalKind,
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
  const of = { key: snapshot.key, owner: await getOwner(ctx.pool), known: snapshot.image_id };
  const { id, isReady, isMissing = false, action } = await driver.ensureImage(access, ref, of);
  if (action !== undefined) await work.save({ action });
  if (id !== null && id !== snapshot.image_id)
    await work.save({}, async (tx) => void (await saveImage(tx, snapshot.id, id)));
  if (isReady && id !== null) return true;
  await refuseFailed(work, { driver, access, ref });
  await refuseMissing(work, isMissing, driver.label);
  return undefined;
}

async function refuseFailed(
  { data }: SnapshotWork,
  { driver, access, ref }: Pick<Cloud, "driver" | "access"> & { ref: ServerRef },
): Promise<void> {
  const action = data.action === undefined ? undefined : await driver.findAction(access, ref, data.action);
  if (action?.state !== "failed") return;
  const reason = action.problem ?? "it gives no reason";
  throw new AppError("refused", `${driver.label} could not make the image: ${reason}.`, { permanent: true });
}

// A new image may not be shown for a while.
async function refuseMissing(work: SnapshotWork, isMissing: boolean, label: string): Promise<void> {
  const { missingAt } = work.data;
  if (isMissing && missingAt == null) await work.save({ missingAt: Date.now() });
  if (!isMissing && missingAt != null) await work.save({ missingAt: null });
  if (isMissing && missingAt != null && Date.now() - missingAt > minute) {
    throw new AppError("refused", `${label} no longer has the image.`, { permanent: true });
  }
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
