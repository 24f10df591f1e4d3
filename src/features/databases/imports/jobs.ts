import type { Context } from "../../../context.ts";
import type { RunKind } from "../../../engine/runs/runs.ts";
import type { PeriodicTask } from "../../../engine/schedule/schedule.ts";
import { databaseSecrets } from "../plans.ts";
import { findDatabaseForWork } from "../queries.ts";
import { importKind, uploadMs } from "../schema.ts";
import { passwordFiles } from "../secrets.ts";
import { emitDatabase } from "../service.ts";
import { endImport, endLostImports, findImportForWork } from "./queries.ts";

// What happens to dumps after the upload.

// The dump is on the server already: the import waits for the server as long as the dump may be kept there.
const loadWithinMs = 24 * 3600_000;

export const importRunKind = (ctx: Context): RunKind => ({
  ...importKind,
  unreachableAfterMs: loadWithinMs,
  secrets: async (run) => {
    const load = await findImportForWork(ctx.pool, run.subject_id);
    const database = load && (await findDatabaseForWork(ctx.pool, load.database_id));
    if (!database) return { files: {}, masked: [] };
    const { files, masked } = await passwordFiles(ctx, database);
    return { files: { ...files, [databaseSecrets.password]: ctx.secrets.decrypt(database.password) }, masked };
  },
  onEnded: async (tx, run, outcome) => {
    const load = await findImportForWork(tx, run.subject_id);
    if (!load) return;
    await endImport(tx, load.id, outcome === "succeeded" ? null : (run.error ?? "The dump was not loaded."));
    const database = await findDatabaseForWork(tx, load.database_id);
    if (database) await emitDatabase(tx, database);
  },
});

/** A process that ends during an upload leaves the record behind. */
export const lostImportsSchedule = ({ pool }: Context): PeriodicTask => ({
  name: "end-lost-database-imports",
  everyMs: 60_000,
  work: () => endLostImports(pool, { error: "The upload was interrupted.", afterMs: uploadMs + 60_000 }),
});
