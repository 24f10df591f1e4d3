import type { PoolClient } from "pg";
import type { Context } from "../../../context.ts";
import type { Work, Workflow, WorkflowKind } from "../../../engine/workflow/workflow.ts";
import { AppError } from "../../../lib/errors.ts";
import { snapshotKind, snapshotRemovalKind } from "../kinds.ts";
import { cloudForWork } from "../providers/connection.ts";
import { getOwner } from "../providers/queries.ts";
import { deleteSnapshotRow, findSnapshot, moveSnapshot, saveImage } from "./queries.ts";

type SnapshotWork = Work<Record<string, never>>;

const hour = 3_600_000;

export const snapshotWorkflows = (ctx: Context): WorkflowKind<Record<string, never>>[] => [
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
