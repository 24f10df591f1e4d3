import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { call as callApi, tokenOf } from "../../../http/tests/support.ts";
import { addProject, addProvisioned, deployed } from "../../deployments/tests/support.ts";
import { makeConfirmation, takeConfirmation, validMinutes } from "../confirmations.ts";
import { deleteUsedConfirmations } from "../queries.ts";
import { type Connected, connect, openStage, type Stage } from "./support.ts";

describe("a confirmation", () => {
  let stage: Stage;
  let server: number;
  let project: number;
  before(async () => {
    stage = await openStage();
    server = await addProvisioned(stage, { name: "web-1" });
  });
  after(() => stage?.close());
  beforeEach(async () => {
    project = await addProject(stage.pool, server);
  });

  const deletion = () => ({ operation: "deleteProjectId", params: { id: project } });
  const exists = async (id = project) =>
    (await callApi(stage.app, `GET /api/v1/projects/${id}`, { token: stage.cast.alice })).status === 200;

  async function planned(connected: Connected, args: object = deletion()): Promise<string> {
    const plan = await connected.call("call_operation", args);
    assert.equal(plan.isError, false, plan.text);
    assert.match(plan.text, /Nothing was done/);
    assert.ok(plan.data.confirm);
    return plan.data.confirm;
  }

  const refuses = async (connected: Connected, args: object, reason: RegExp) => {
    const answer = await connected.call("call_operation", args);
    assert.deepEqual([answer.isError, reason.test(answer.text)], [true, true], answer.text);
    assert.ok(await exists());
  };

  it("is asked for with a plan that the API counted, and then does it", async (t) => {
    const alice = await connect(t, stage, stage.cast.alice);
    const plan = await alice.call("call_operation", deletion());
    assert.match(plan.text, /Lost: 1 domain/);
    assert.equal(plan.data.plan.lost.find(({ noun }: { noun: string }) => noun === "domain").count, 1);
    assert.ok(await exists());
    const done = await alice.call("call_operation", { ...deletion(), confirm: plan.data.confirm });
    assert.equal(done.isError, false, done.text);
    assert.ok(!(await exists()));
  });

  it("of a server's deletion warns of live projects, unless its protection was switched", async (t) => {
    const alice = await connect(t, stage, stage.cast.alice);
    await deployed(stage, project, server);
    await stage.pool.query("update placements set live_release_id = 1 where project_id = $1", [project]);
    const args = { operation: "deleteServersId", params: { id: server } };
    assert.match((await alice.call("call_operation", args)).text, /Projects are live on the server/);
    await stage.pool.query("update servers set delete_protection_is_chosen = true");
    assert.doesNotMatch((await alice.call("call_operation", args)).text, /Projects are live on the server/);
  });

  it("is valid once, also for calls at the same time", async (t) => {
    const alice = await connect(t, stage, stage.cast.alice);
    const id = await deployed(stage, project, server);
    const other = await deployed(stage, project, server, "succeeded", "b".repeat(40));
    assert.ok(other > id);
    const { data } = await alice.call("roll_back", { project, wait_seconds: 0 });
    const args = { project, wait_seconds: 0, confirm: data.confirm };
    const answers = await Promise.all(Array.from({ length: 5 }, () => alice.call("roll_back", args)));
    assert.deepEqual(answers.map(({ isError }) => isError).sort(), [false, true, true, true, true]);
    assert.match(answers.find(({ isError }) => isError)?.text ?? "", /It was used already/);
  });

  it("is worthless for another account, another token, another organization", async (t) => {
    const confirm = await planned(await connect(t, stage, stage.cast.alice));
    const another = /another account, token or organization/;
    await refuses(await connect(t, stage, stage.cast.adam), { ...deletion(), confirm }, another);
    const second = await tokenOf(stage.pool, "Alice");
    await refuses(await connect(t, stage, second), { ...deletion(), confirm }, another);
  });

  it("is worthless for other arguments and other tools", async (t) => {
    const alice = await connect(t, stage, stage.cast.alice);
    const confirm = await planned(alice);
    const other = await addProject(stage.pool, server);
    await refuses(alice, { ...deletion(), params: { id: other }, confirm }, /other arguments/);
    await refuses(alice, { ...deletion(), query: { keep: 1 }, confirm }, /other arguments|Refused with 422/);
    const command = await alice.call("run_command", { project, command: "true", confirm });
    assert.match(command.text, /another tool/);
  });

  it("does not depend on the order of the arguments", async (t) => {
    const alice = await connect(t, stage, stage.cast.alice);
    const confirm = await planned(alice);
    const { operation, params } = deletion();
    assert.equal((await alice.call("call_operation", { confirm, params, operation })).isError, false);
  });

  it("is worthless when more would be lost than the plan counted", async (t) => {
    const alice = await connect(t, stage, stage.cast.alice);
    const confirm = await planned(alice);
    await callApi(stage.app, `POST /api/v1/projects/${project}/domains`, {
      token: stage.cast.alice,
      body: { domain: `more-${project}.example.com` },
    });
    await refuses(alice, { ...deletion(), confirm }, /has changed since/);
  });

  it("is refused when it is made up or altered", async (t) => {
    const alice = await connect(t, stage, stage.cast.alice);
    const confirm = await planned(alice);
    const altered = `${confirm.slice(0, -4)}AAAA`;
    // Another value that the installation has encrypted.
    const foreign = stage.ctx.secrets.encrypt(JSON.stringify({ kind: "other" })).toString("base64url");
    for (const given of ["x", altered, foreign]) {
      await refuses(alice, { ...deletion(), confirm: given }, /not one of this installation/);
    }
  });

  it(`is valid for ${validMinutes} minutes`, async () => {
    const { ctx } = stage;
    const purpose = { tool: "a", userId: 1, tokenId: 2, organizationId: 3, args: { b: 1 }, plan: undefined };
    const now = Date.now();
    const made = makeConfirmation(ctx, purpose, now - validMinutes * 60_000);
    await assert.rejects(() => takeConfirmation(ctx, made, purpose, now), /more than 10 minutes ago/);
    const later = makeConfirmation(ctx, purpose, now - validMinutes * 60_000 + 1_000);
    assert.ok(await takeConfirmation(ctx, later, purpose, now));
    assert.equal(await deleteUsedConfirmations(stage.pool), 0);
  });

  it("is not taken by calls that need none", async (t) => {
    const alice = await connect(t, stage, stage.cast.alice);
    const answer = await alice.call("call_operation", { operation: "getProjects", confirm: "x" });
    assert.match(answer.text, /needs no confirmation/);
  });

  it("comes with a form for clients that can show one", async (t) => {
    const answers: { action: string; content?: Record<string, unknown> }[] = [
      { action: "decline" },
      { action: "accept", content: { name: "other" } },
      { action: "accept", content: { name: "shop" } },
    ];
    const shown: { message: string; properties: object }[] = [];
    const { client, call } = await connect(t, stage, stage.cast.alice, {
      options: { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: { pin: "2026-07-28" } } },
    });
    client.setRequestHandler("elicitation/create", ({ params }) => {
      const { message, requestedSchema } = params as { message: string; requestedSchema: { properties: object } };
      shown.push({ message, properties: requestedSchema.properties });
      return answers.shift() as never;
    });
    const declined = await call("call_operation", deletion());
    assert.deepEqual([declined.isError, await exists()], [true, true]);
    const wrong = await call("call_operation", deletion());
    assert.match(wrong.text, /The name is another one/);
    assert.ok(await exists());
    const right = await call("call_operation", deletion());
    assert.equal(right.isError, false, right.text);
    assert.ok(!(await exists()));
    assert.match(shown[0]?.message ?? "", /Lost: 1 domain/);
    assert.deepEqual(Object.keys(shown[0]?.properties ?? {}), ["name"]);
  });
});
