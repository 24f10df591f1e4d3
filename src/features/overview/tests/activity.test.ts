import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../../../db/sql.ts";
import { narrowToken, openStage, type Stage } from "./support.ts";

let stage: Stage;
let [near, far, deployment] = [0, 0, 0];
before(async () => {
  stage = await openStage();
  near = await stage.world.project();
  far = await stage.world.project();
  deployment = await stage.world.deployment({ status: 1, projectId: near });
  await stage.make(sql`update projects set name = 'Near' where id = ${near} returning id`);
  for (const [action, subjects] of [
    ["PUT /api/v1/projects/:id", [`project:${far}`]],
    ["POST /api/v1/deployments", [`project:${near}`, `project:${far}`]],
    ["POST /api/v1/deployments/:id/cancel", [`deployment:${deployment}`]],
    ["PUT /api/v1/servers/:id", ["server:77"]],
    ["PUT /api/v1/monitors/:id", ["monitor:5"]],
    ["PUT /api/v1/organizations/:id", [`organization:${stage.cast.organizationId}`]],
    ["POST /api/auth/sign-in/email", ["user:1"]],
    ["POST /api/v1/me/tokens", ["token:1"]],
  ] as const) {
    await stage.make(sql`
      insert into audit_log (organization_id, user_id, user_email, ip, action, summary, subjects, fields, request_id)
      values (${stage.cast.organizationId}, ${stage.cast.userIds.alice}, 'alice@example.com', '198.51.100.7', ${action},
        ${`Did ${action}`}, ${subjects}, '{name}', 'req-1') returning id`);
  }
});
after(() => stage.end());

const read = async (query = "", token?: string) => {
  const { status, body, text } = await stage.ask(`GET /api/v1/activity${query}`, token);
  assert.equal(status, 200, text);
  assert.ok(!text.includes("198.51.100.7") && !text.includes("req-1"), text);
  return body as {
    data: { id: number; action: string; subjects: string[]; subject_names: Record<string, string> }[];
    next_before: number | null;
  };
};
const actions = async (query = "", token?: string) => (await read(query, token)).data.map(({ action }) => action);

test("everyone reads what was done to what they may read, the newest first, without addresses", async () => {
  assert.deepEqual(await actions("", stage.cast.victor), [
    "PUT /api/v1/organizations/:id",
    "PUT /api/v1/monitors/:id",
    "PUT /api/v1/servers/:id",
    "POST /api/v1/deployments/:id/cancel",
    "POST /api/v1/deployments",
    "PUT /api/v1/projects/:id",
  ]);
  const narrow = await narrowToken(stage, "project:read");
  assert.equal((await actions("", narrow)).length, 3);
  assert.deepEqual(await actions("", stage.cast.charlie), []);
  assert.equal((await stage.ask("GET /api/v1/activity", await narrowToken(stage, "server:read"))).status, 403);
});

test("a restricted member reads entries about its projects, and only their names", async () => {
  const token = await stage.restricted({ projects: [near] });
  const { data } = await read("", token);
  assert.deepEqual(
    data.map(({ action, subjects }) => [action, subjects]),
    [
      ["POST /api/v1/deployments/:id/cancel", [`deployment:${deployment}`]],
      ["POST /api/v1/deployments", [`project:${near}`]],
    ],
  );
  assert.deepEqual(data[1]?.subject_names, { [`project:${near}`]: "Near" });
  for (const filter of [`subject=project:${far}`, `q=project:${far}`])
    assert.deepEqual(await actions(`?${filter}`, token), []);
  assert.equal((await actions(`?q=project:${near}`, token)).length, 1);
});

test("pages follow the last entry, and filters apply", async () => {
  const first = await read("?per_page=4");
  assert.equal(first.data.length, 4);
  const second = await read(`?per_page=4&before=${first.next_before}`);
  assert.deepEqual([second.data.length, second.next_before], [2, null]);
  assert.deepEqual(await actions("?q=CANCEL"), ["POST /api/v1/deployments/:id/cancel"]);
  assert.deepEqual(await actions(`?subject=project:${near}`), ["POST /api/v1/deployments"]);
  assert.deepEqual(await actions("?user_id=999"), []);
  assert.equal((await stage.ask("GET /api/v1/activity?from=2026-13-99")).status, 422);
  assert.equal((await stage.ask("GET /api/v1/activity?per_page=101")).status, 422);
});
