import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { rows, sql } from "../../../db/sql.ts";
import { call } from "../../../http/tests/support.ts";
import { findProjectForWork } from "../../projects/queries.ts";
import { sourceOf } from "../planning.ts";
import { findDeploymentForWork } from "../queries.ts";
import { addProject, addProvisioned, dispatch, findRow, finishRun, openStage, type Stage } from "./support.ts";

// Requests for a certain branch or commit, as pipelines send them.

let stage: Stage;
let server: number;
before(async () => {
  stage = await openStage();
  server = await addProvisioned(stage);
});
after(() => stage.close());

const commit = (digit: string): string => digit.repeat(40);
const request = (body: object, token = stage.cast.alice) =>
  call(stage.app, "POST /api/v1/deployments", { token, body });

/** For pipelines; the ids. */
async function perCommit(projectIds: number[], commitId: string): Promise<number[]> {
  const reply = await request({ project_ids: projectIds, commit_id: commitId, idempotent_per_commit: true });
  assert.equal(reply.status, 202, reply.text);
  return reply.body.deployment_ids;
}

async function end(id: number, outcome: "succeeded" | "failed" | "cancelled", at: string): Promise<void> {
  await dispatch(stage, server);
  await finishRun(stage, id, outcome, outcome === "succeeded" ? { commit: at } : {});
}

describe("a request for a branch or commit", () => {
  it("deploys it this once", async () => {
    const project = await addProject(stage.pool, server);
    const reply = await request({ project_ids: [project], branch: "next", commit_id: commit("A") });
    const [id] = reply.body.deployment_ids;
    const deployment = await findDeploymentForWork(stage.pool, id);
    const row = await findProjectForWork(stage.pool, project);
    assert.ok(deployment && row);
    const { branch, commit: wanted } = await sourceOf(stage.ctx, stage.pool, deployment, row);
    assert.deepEqual([branch, wanted], ["next", commit("a")]);
    const [next] = (await request({ project_ids: [project] })).body.deployment_ids;
    const { git_branch, commit_id } = await findRow(stage, next);
    assert.deepEqual([git_branch, commit_id], ["main", null]);
  });

  it("links the commit at its git host, and the complete one once it was fetched", async () => {
    const project = await addProject(stage.pool, server);
    await stage.pool.query(
      "update projects set repository_type = 'git_host_a', repository = 'acme/shop' where id = $1",
      [project],
    );
    const [id] = (await request({ project_ids: [project], commit_id: "abcdef1" })).body.deployment_ids;
    assert.equal((await findRow(stage, id)).commit_url, "https://github.com/acme/shop/commit/abcdef1");
    const complete = `abcdef1${"0".repeat(33)}`;
    await end(id, "succeeded", complete);
    const { commit_id, commit_url } = await findRow(stage, id);
    assert.deepEqual([commit_id, commit_url], [complete, `https://github.com/acme/shop/commit/${complete}`]);
  });

  const refused: [object, string][] = [
    [{ branch: "-x" }, "branch"],
    [{ branch: "a..b" }, "branch"],
    [{ branch: "" }, "branch"],
    [{ branch: "x".repeat(241) }, "branch"],
    [{ branch: 7 }, "branch"],
    [{ commit_id: "abc" }, "commit_id"],
    [{ commit_id: "HEAD" }, "commit_id"],
    [{ commit_id: "--upload-pack=x" }, "commit_id"],
    [{ commit_id: "abcdef1\n" }, "commit_id"],
    [{ commit_id: "f".repeat(65) }, "commit_id"],
    [{ idempotent_per_commit: true }, "commit_id"],
    [{ commit_id: "abcdef1", idempotent_per_commit: "yes" }, "idempotent_per_commit"],
  ];
  for (const [body, field] of refused) {
    it(`is refused with ${JSON.stringify(body).slice(0, 60)}`, async () => {
      const project = await addProject(stage.pool, server);
      const reply = await request({ project_ids: [project], ...body });
      assert.equal(reply.status, 422);
      assert.deepEqual(Object.keys(reply.body.errors), [field]);
      assert.deepEqual(await rows(stage.pool, sql`select 1 from deployments where project_id = ${project}`), []);
    });
  }
});

describe("a second request for the same commit", () => {
  it("answers the deployment that is queued, running or successful", async () => {
    const project = await addProject(stage.pool, server);
    const [first] = (await perCommit([project], commit("1"))) as [number];
    assert.deepEqual(await perCommit([project], commit("1")), [first]);
    await dispatch(stage, server);
    assert.deepEqual(await perCommit([project], commit("1")), [first]);
    await finishRun(stage, first, "succeeded", { commit: commit("1") });
    assert.deepEqual(await perCommit([project], commit("1")), [first]);
    assert.deepEqual(await perCommit([project], "111111"), [first]);
    assert.notDeepEqual(await perCommit([project], commit("2")), [first]);
    assert.equal((await findRow(stage, first)).status, 1);
  });

  it("queues another one after a failure or a cancel, and without the switch", async () => {
    const project = await addProject(stage.pool, server);
    const [failed] = (await perCommit([project], commit("3"))) as [number];
    await end(failed, "failed", commit("3"));
    const [again] = (await perCommit([project], commit("3"))) as [number];
    assert.notEqual(again, failed);
    await call(stage.app, `POST /api/v1/deployments/${again}/cancel`, { token: stage.cast.alice });
    const [third] = (await perCommit([project], commit("3"))) as [number];
    assert.notEqual(third, again);
    const [other] = (await request({ project_ids: [project], commit_id: commit("3") })).body.deployment_ids;
    assert.notEqual(other, third);
  });

  it("counts a deployment of the branch that has brought the commit", async () => {
    const project = await addProject(stage.pool, server);
    const [id] = (await request({ project_ids: [project] })).body.deployment_ids;
    await end(id, "succeeded", commit("4"));
    assert.deepEqual(await perCommit([project], commit("4")), [id]);
  });

  it("counts one that was requested with fewer or more characters, unless they are those of several", async () => {
    const project = await addProject(stage.pool, server);
    const [short] = (await perCommit([project], "abcd12")) as [number];
    assert.deepEqual(await perCommit([project], `abcd12${"0".repeat(34)}`), [short]);
    await end(short, "succeeded", `abcd12${"0".repeat(34)}`);
    const [other] = (await perCommit([project], `abcd1${"f".repeat(35)}`)) as [number];
    assert.notEqual(other, short);
    assert.deepEqual(await perCommit([project], "abcd12"), [short]);
    const [several] = (await perCommit([project], "abcd1")) as [number];
    assert.ok(several !== short && several !== other);
  });

  it("keeps what projects have and queues the rest, in the order of the request", async () => {
    const projects = await Promise.all([1, 2, 3].map(() => addProject(stage.pool, server)));
    const [one, two, three] = projects as [number, number, number];
    const [present] = (await perCommit([two], commit("5"))) as [number];
    const ids = await perCommit([three, two, one], commit("5"));
    assert.equal(ids[1], present);
    const owners = await Promise.all(ids.map(async (id) => (await findRow(stage, id)).project_id));
    assert.deepEqual(owners, [three, two, one]);
    assert.deepEqual(await perCommit([three, two, one], commit("5")), ids);
  });

  it("queues one of requests at the same time", async () => {
    const projects = await Promise.all([1, 2].map(() => addProject(stage.pool, server)));
    const orders = Array.from({ length: 6 }, (_, at) => (at % 2 === 0 ? projects : projects.toReversed()));
    await Promise.all(orders.map((order) => perCommit(order, commit("6"))));
    const found = await rows(stage.pool, sql`select 1 from deployments where project_id = any(${projects}::bigint[])`);
    assert.equal(found.length, projects.length);
  });

  it("sees no deployment of another organization, nor of a project out of reach", async () => {
    const project = await addProject(stage.pool, server);
    await perCommit([project], commit("7"));
    const body = { project_ids: [project], commit_id: commit("7"), idempotent_per_commit: true };
    const reply = await request(body, stage.cast.charlie);
    assert.equal(reply.status, 404);
    assert.equal(reply.body.deployment_ids, undefined);
  });
});
