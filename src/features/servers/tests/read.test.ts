import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { rows, sql } from "../../../db/sql.ts";
import { Nullable, Timestamp } from "../../../http/schemas.ts";
import { call, restrict } from "../../../http/tests/support.ts";
import { addProject, addProvisioned, addServer, openStage, type Stage } from "./support.ts";

let stage: Stage;
let listed: number;
let beside: number;
let hidden: number;

// Bob reaches one server, and one project on another one.
before(async () => {
  stage = await openStage();
  const { pool, cast } = stage;
  listed = await addProvisioned(stage, { name: "listed" });
  beside = await addProvisioned(stage, { name: "beside", notes: "not for Bob" });
  hidden = await addProvisioned(stage, { name: "hidden" });
  const projects = [await addProject(pool, beside), await addProject(pool, beside), await addProject(pool, listed)];
  await restrict(pool, "Bob", cast.organizationId, { servers: [listed], projects: [projects[0] as number] });
});
after(() => stage?.close());

const get = (path: string, token = stage.cast.alice) => call(stage.app, `GET /api/v1/servers${path}`, { token });

describe("the list of servers", () => {
  it("has 10 on a page, and the envelope", async () => {
    for (let count = 3; count < 12; count++) await addServer(stage);
    const first = (await get("")).body;
    assert.equal(first.data.length, 10);
    const { current_page, per_page, total_pages, total_items } = first;
    assert.deepEqual(
      { current_page, per_page, total_pages, total_items },
      {
        current_page: 1,
        per_page: 10,
        total_pages: 2,
        total_items: 12,
      },
    );
    assert.equal((await get("?page=2")).body.data.length, 2);
    assert.equal((await get("?per_page=3&page=4")).body.data.length, 3);
  });

  it("is empty for a stranger", async () => {
    const { body } = await get("", stage.cast.charlie);
    assert.deepEqual([body.total_items, body.total_pages, body.data], [0, 1, []]);
  });

  it("has the reachable servers of a restricted member, and a listed project's server by id and name only", async () => {
    const { body } = await get("", stage.cast.bob);
    assert.equal(body.total_items, 2);
    const [whole, named] = body.data;
    assert.equal(whole.id, listed);
    assert.equal(whole.projects_count, 1);
    assert.deepEqual(named, { id: beside, name: "beside" });
  });
});

describe("a server", () => {
  it("is read with its projects counted", async () => {
    const { body } = await get(`/${beside}`);
    assert.equal(body.data.projects_count, 2);
    assert.equal(body.data.monitoring_enabled, true);
    assert.deepEqual([body.data.connection_status, body.data.connect_command], [1, null]);
    assert.equal(
      "ssh_public_key" in body.data || "organization_id" in body.data || "ssh_private_key" in body.data,
      false,
    );
  });

  it("does not exist for strangers and for ids that are none", async () => {
    assert.equal((await get(`/${listed}`, stage.cast.charlie)).status, 404);
    for (const id of ["0", "-1", "x", "99999", "9007199254740993"]) assert.equal((await get(`/${id}`)).status, 404, id);
  });

  it("is id and name where the membership lists only a project on it, and nothing out of reach", async () => {
    assert.deepEqual((await get(`/${beside}`, stage.cast.bob)).body.data, { id: beside, name: "beside" });
    assert.equal((await get(`/${hidden}`, stage.cast.bob)).status, 404);
  });

  it("of which only the name is visible can neither be changed nor looked into", async () => {
    const token = stage.cast.bob;
    const tries = ["GET /setup-steps", "POST /reboot", "POST /pin", "DELETE /pin", "POST /setup/retry"];
    for (const line of tries) {
      const [method, path] = line.split(" ");
      assert.equal((await call(stage.app, `${method} /api/v1/servers/${beside}${path}`, { token })).status, 404, line);
    }
    const reply = await call(stage.app, `PUT /api/v1/servers/${beside}`, { token, body: { name: "mine" } });
    assert.equal(reply.status, 404);
  });
});

describe("a pin", () => {
  const pin = (method: string, token: string, id = listed) =>
    call(stage.app, `${method} /api/v1/servers/${id}/pin`, { token });
  const isPinned = async (token: string) => (await get(`/${listed}`, token)).body.data.is_pinned;

  it("is the user's own, and can be set and taken twice", async () => {
    for (const _ of [1, 2]) {
      const reply = await pin("POST", stage.cast.alice);
      assert.deepEqual([reply.status, reply.body], [200, { status: "success", is_pinned: true }]);
    }
    assert.deepEqual([await isPinned(stage.cast.alice), await isPinned(stage.cast.victor)], [true, false]);
    for (const _ of [1, 2]) assert.deepEqual((await pin("DELETE", stage.cast.alice)).body.is_pinned, false);
    assert.equal(await isPinned(stage.cast.alice), false);
  });

  it("is for viewers too, and not for strangers", async () => {
    assert.equal((await pin("POST", stage.cast.victor)).status, 200);
    assert.equal((await pin("POST", stage.cast.charlie)).status, 404);
  });

  it("ends with the membership", async () => {
    const { victor, organizationId, userIds } = stage.cast;
    assert.equal((await pin("POST", victor)).status, 200);
    const left = await call(stage.app, `POST /api/v1/organizations/${organizationId}/leave`, { token: victor });
    assert.equal(left.status, 200);
    const pins = await rows(stage.pool, sql`select 1 from server_pins where user_id = ${userIds.victor}`);
    assert.deepEqual(pins, []);
  });
});

describe("the OpenAPI document", () => {
  it("lists the environments of a server, the statuses of a step of its setup, and the form of that step's times", async () => {
    const { body } = await call(stage.app, "GET /api/v1/openapi.json");
    const { WholeServer, SetupStep } = body.components.schemas;
    assert.deepEqual(WholeServer.properties.environment.anyOf, [
      { type: "string", enum: ["production", "staging", "dev"] },
      { type: "null" },
    ]);
    const step = SetupStep.allOf[1].properties;
    assert.deepEqual(step.status.enum, ["pending", "running", "completed", "failed", "skipped", "unreported"]);
    for (const time of [step.started_at, step.finished_at]) assert.deepEqual(time, Nullable(Timestamp));
  });
});
