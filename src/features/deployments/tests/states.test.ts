import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { row, sql } from "../../../db/sql.ts";
import { fromTheStart } from "../../../engine/runs/plan.ts";
import { insertRun } from "../../../engine/runs/queries.ts";
import { cancelQueued, markCancelling, resumeRunning, storeDeploymentEnd } from "../ending/queries.ts";
import { findDeploymentForWork } from "../queries.ts";
import { claimDeployments } from "../queue/queries.ts";
import { type DeploymentStatus, deploymentStatus, isEndedStatus, transitions } from "../schema.ts";
import { addProject, addProvisioned, findRow, openStage, type Stage } from "./support.ts";

type Name = keyof typeof deploymentStatus;
const names = Object.keys(deploymentStatus) as Name[];
const plan = { kind: "deployment", steps: [], pointOfNoReturn: fromTheStart };
const docs = readFileSync(join(import.meta.dirname, "../../../../docs/deployments.md"), "utf8");

/** `queued -> running` for each arrow between two states of the diagram. */
function drawn(): string[] {
  const diagram = /```mermaid\nstateDiagram-v2\n([\s\S]*?)```/.exec(docs)?.[1] ?? "";
  return [...diagram.matchAll(/^ *(\w+) --> (\w+):/gm)].map(([, from, to]) => `${from} -> ${to}`).sort();
}

const inCode = names
  .flatMap((from) => transitions[deploymentStatus[from]].map((to) => `${from} -> ${nameOf(to)}`))
  .sort();

function nameOf(status: DeploymentStatus): Name {
  return names.find((name) => deploymentStatus[name] === status) as Name;
}

describe("the states of a deployment", () => {
  let stage: Stage;
  let server: number;
  let run: number;
  before(async () => {
    stage = await openStage();
    server = await addProvisioned(stage);
    run = await insertRun(stage.pool, {
      serverId: server,
      kind: "deployment",
      subject: "deployment",
      subjectId: 0,
      plan,
    });
  });
  after(() => stage.close());

  /** A deployment of a new project, in this state as the database allows it. */
  async function deploymentIn(state: Name): Promise<number> {
    const project = await addProject(stage.pool, server);
    const { started, ended } = timesOf(deploymentStatus[state]);
    const inserted = await row<{ id: number }>(
      stage.pool,
      sql`
        insert into deployments (organization_id, project_id, server_id, git_branch, description, status, started_at,
          ended_at)
        select organization_id, id, server_id, 'main', '', ${deploymentStatus[state]}, ${started}::timestamptz,
          ${ended}::timestamptz
        from projects where id = ${project} returning id
      `,
    );
    return (inserted as { id: number }).id;
  }

  it("are drawn in the documentation as the code has them", () => assert.deepEqual(drawn(), inCode));

  it("follow each other in the database as they are drawn, and not otherwise", async () => {
    const accepted: string[] = [];
    for (const from of names) {
      for (const to of names) {
        const id = await deploymentIn(from);
        const { started, ended } = timesOf(deploymentStatus[to]);
        const move = stage.pool.query(
          "update deployments set status = $2, started_at = $3, ended_at = $4 where id = $1",
          [id, deploymentStatus[to], started, ended],
        );
        if (from === to) await move;
        else if (await isAccepted(move)) accepted.push(`${from} -> ${to}`);
      }
    }
    assert.deepEqual(accepted.sort(), drawn());
  });

  it("are changed by the code along the arrows alone, along each of them", async () => {
    const moves: ((id: number) => Promise<unknown>)[] = [
      (id) => cancelQueued(stage.pool, id),
      (id) => markCancelling(stage.pool, id),
      (id) => resumeRunning(stage.pool, id),
      (id) => claimDeployments(stage.pool, [{ id, runId: run, releaseId: id, inPlace: false }]),
      ...([1, 2, 5] as const).map(
        (status) => (id: number) => storeDeploymentEnd(stage.pool, id, { status, error: null }),
      ),
    ];
    const made = new Set<string>();
    for (const from of names) {
      for (const move of moves) {
        const id = await deploymentIn(from);
        await move(id);
        const to = nameOf((await findRow(stage, id)).status);
        if (to !== from) made.add(`${from} -> ${to}`);
      }
    }
    assert.deepEqual([...made].sort(), drawn());
  });

  it("report how many whole seconds it has taken", async () => {
    const duration = async (id: number) => (await findDeploymentForWork(stage.pool, id))?.duration;
    const ended = await deploymentIn("success");
    const times = "started_at = now() - interval '90.9 s', ended_at = now()";
    await stage.pool.query(`update deployments set ${times} where id = $1`, [ended]);
    assert.equal(await duration(ended), 90);
    const running = await deploymentIn("running");
    await stage.pool.query("update deployments set started_at = now() - interval '5 days' where id = $1", [running]);
    assert.ok(((await duration(running)) ?? 0) >= 5 * 86_400);
    assert.equal(await duration(await deploymentIn("queued")), 0);
  });

  it("carry the times that belong to them", async () => {
    const refused: [Name, string][] = [
      ["queued", "started_at = now()"],
      ["queued", "ended_at = now()"],
      ["queued", "status = 6"],
      ["queued", "status = 3"],
      ["running", "status = 1"],
      ["running", "started_at = null"],
      ["success", "ended_at = null"],
      ["failed", "ended_at = null"],
      ["cancelled", "ended_at = null"],
    ];
    for (const [state, change] of refused) {
      const id = await deploymentIn(state);
      await assert.rejects(
        stage.pool.query(`update deployments set ${change} where id = $1`, [id]),
        { code: "23514" },
        `${state}: ${change}`,
      );
    }
  });

  it("of a project are running in one deployment at most", async () => {
    const id = await deploymentIn("running");
    const again = `insert into deployments (organization_id, project_id, server_id, git_branch, description, status, started_at)
       select organization_id, project_id, server_id, 'main', '', 4, now() from deployments where id = $1`;
    await assert.rejects(stage.pool.query(again, [id]), { code: "23505" });
  });
});

const time = "2026-01-01T00:00:00Z";

const timesOf = (status: DeploymentStatus) => ({
  started: status === deploymentStatus.queued ? null : time,
  ended: isEndedStatus(status) ? time : null,
});

const isAccepted = (move: Promise<unknown>): Promise<boolean> =>
  move.then(
    () => true,
    (error: unknown) => {
      assert.equal((error as { code?: string }).code, "23514", String(error));
      return false;
    },
  );
