import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { findRun } from "../../../engine/runs/queries.ts";
import { completeSteps } from "../../../engine/tests/support.ts";
import {
  addProject,
  addProvisioned,
  attend,
  attendRun,
  deploy,
  dispatch,
  findRow,
  finishRun,
  makeNode,
  openStage,
  planOf,
  type Stage,
} from "./support.ts";

describe("the plan of a deployment", () => {
  let stage: Stage;
  let server: number;
  let project: number;
  before(async () => {
    stage = await openStage();
    server = await addProvisioned(stage);
  });
  after(() => stage.close());
  beforeEach(async () => {
    project = await addProject(stage.pool, server);
  });

  async function begun(): Promise<number> {
    const [id] = (await deploy(stage, project)) as [number];
    await dispatch(stage, server);
    return id;
  }

  const setBuild = (build: string) =>
    stage.pool.query("update projects set custom_commands = $2 where id = $1", [project, { build }]);
  const buildOf = async (id: number): Promise<string | undefined> =>
    (await planOf(stage, id)).steps.find(({ key }) => key === "build")?.script;

  it("is made when its run starts, from the settings as they are then, and stays", async () => {
    const id = await begun();
    await setBuild("make early");
    assert.match((await buildOf(id)) ?? "", /make early/);
    await setBuild("make late");
    assert.match((await buildOf(id)) ?? "", /make early/);
  });

  it("makes its release as it began, in place or not, when the project is switched since", async () => {
    const releaseOf = async (id: number): Promise<string | undefined> =>
      /releases\/([\w-]+)/.exec(
        (await planOf(stage, id)).steps.find(({ key }) => key === "create-release")?.script ?? "",
      )?.[1];
    const setZeroDowntime = (isOn: boolean) =>
      stage.pool.query("update projects set zero_downtime = $2 where id = $1", [project, isOn]);
    const first = await begun();
    await setZeroDowntime(false);
    assert.equal(await releaseOf(first), String(first));
    await finishRun(stage, first, "failed");
    const second = await begun();
    await setZeroDowntime(true);
    assert.equal(await releaseOf(second), "in-place");
  });

  it("has what is outdated of the preparation, and nothing else of it", async () => {
    await makeNode(stage, project);
    const preparation = async (): Promise<string[]> => {
      const id = await begun();
      const { steps } = await planOf(stage, id);
      await completeSteps(stage.pool, (await findRow(stage, id)).run_id as number);
      await finishRun(stage, id, "succeeded");
      return steps.filter(({ phase }) => phase === "prepare").map(({ key }) => key);
    };
    const all = ["create-account", "create-folders", "create-deploy-key", "write-unit", "publish-site"];
    assert.deepEqual(await preparation(), all);
    assert.deepEqual(await preparation(), []);
    await stage.pool.query("update projects set max_memory = '512M' where id = $1", [project]);
    assert.deepEqual(await preparation(), ["write-unit"]);
    assert.deepEqual(await preparation(), []);
  });

  it("reports why it cannot be made, at once and without the server", async () => {
    const id = await begun();
    await stage.pool.query("update projects set repository = '--upload-pack=evil' where id = $1", [project]);
    await attend(stage, id);
    const { status, error } = await findRow(stage, id);
    assert.deepEqual([status, error], [2, "The project has no repository that could be fetched."]);
  });

  it("is not made for a project that was deleted meanwhile", async () => {
    const { run_id: runId } = await findRow(stage, await begun());
    await stage.pool.query("delete from projects where id = $1", [project]);
    await attendRun(stage, runId);
    const run = await findRun(stage.pool, Number(runId));
    assert.deepEqual([run?.state, run?.error, run?.plan.steps], ["failed", "The project was deleted.", []]);
  });
});
