import type { Entry } from "../../src/engine/runs/journal.ts";
import { findRun, type Run } from "../../src/engine/runs/queries.ts";
import { applyUpdate, parseUpdate } from "../../src/engine/runs/store.ts";
import { deploymentRunKinds } from "../../src/features/deployments/jobs.ts";
import { deploy, dispatch, findRow, type Stage, startRuns } from "../../src/features/deployments/tests/support.ts";

// Deployments whose server is the test: what it reports is stored as its follower stores it.

type Application = Pick<Stage, "pool" | "ctx"> & Stage;

/** A deployment of the project that has begun. */
export async function begin(stage: Application, project: number, server: number): Promise<number> {
  const [id] = (await deploy(stage, project)) as [number];
  await dispatch(stage, server);
  await startRuns(stage);
  return id;
}

async function runOf(stage: Application, id: number): Promise<Run> {
  const run = await findRun(stage.pool, Number((await findRow(stage, id)).run_id));
  if (!run) throw new Error(`Deployment ${id} has no run`);
  return run;
}

const journalBytes = 1_000_000;

/** Stores entries of the run's journal. */
export async function report(stage: Application, id: number, ...entries: Entry[]): Promise<void> {
  const run = await runOf(stage, id);
  const kinds = new Map(deploymentRunKinds(stage.ctx).map((kind) => [kind.kind, kind]));
  const offset = run.journal_offset;
  const position = await positionOf(stage, run.id);
  const update = parseUpdate(run, { entries, consumed: journalBytes, offset }, position, (bytes) => bytes);
  await applyUpdate({ pool: stage.pool, kinds }, update);
}

async function positionOf({ pool }: Application, run: number): Promise<number | null> {
  const found = await pool.query<{ position: number | null }>(
    "select max(position) as position from run_steps where run_id = $1 and status <> 'pending'",
    [run],
  );
  return found.rows[0]?.position ?? null;
}

export async function startStep(stage: Application, id: number, position: number): Promise<void> {
  const at = Date.now();
  const isFirst = (await positionOf(stage, (await runOf(stage, id)).id)) === null;
  await report(stage, id, ...(isFirst ? [{ type: "run", at } as const] : []), { type: "step", position, at });
}

export const endStep = (stage: Application, id: number, position: number, exitCode = 0): Promise<void> =>
  report(stage, id, { type: "done", position, exitCode, durationMs: 1_200, at: Date.now() });

/** Each text is stored by itself. */
export async function print(stage: Application, id: number, ...texts: string[]): Promise<void> {
  for (const text of texts) {
    const { journal_offset: offset } = await runOf(stage, id);
    await report(stage, id, { type: "output", bytes: Buffer.from(text), offset: offset + 7 });
  }
}

/** A long log at once, of a step: `pieces` of `lines`, each with its number and filled up to 85 characters. */
export async function fill(
  { pool }: Application,
  id: number,
  { pieces, lines = 750 }: { pieces: number; lines?: number },
): Promise<void> {
  // 6 MB by each statement, which may take 30 s.
  for (let first = 0; first < pieces; first += 100) {
    await pool.query(
      `insert into run_output (run_id, journal_offset, step_position, audience, text, lines_before)
       select run_id, n * 1000000, 1, 'client', (
         select string_agg(rpad('line ' || (n * $4::int + k) || ' ', 85, 'x'), E'\\n') || E'\\n'
         from generate_series(1, $4::int) k
       ), n * $4::int
       from deployments, generate_series($2::int, $3::int) n where deployments.id = $1`,
      [id, first, Math.min(first + 100, pieces) - 1, lines],
    );
  }
}
