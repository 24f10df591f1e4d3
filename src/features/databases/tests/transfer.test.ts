import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { call } from "../../../http/tests/support.ts";
import { adminUser } from "../../accounts/admin.ts";
import { ask, created, end, openStage, type Stage } from "./support.ts";

let stage: Stage;

before(async () => {
  stage = await openStage();
});

after(() => stage?.close());

describe("a server that is transferred to another organization", () => {
  it("takes its databases along, with their users and passwords", async () => {
    const { cast, app } = stage;
    const beta = await adminUser(stage, {
      email: "alice@example.com",
      name: "Alice",
      organization: "Beta",
      role: "Owner",
      plan: "pro",
    });
    const id = await created(stage, { name: "shop", password: "a-kept-password" });
    const user = (await ask(stage, "POST", `/${id}/users`, { body: { username: "reports" } })).body.data;
    await end(stage, id);
    const transfer = await call(app, `POST /api/v1/servers/${stage.serverId}/transfer-organization`, {
      token: cast.alice,
      body: { organization_id: beta.organization_id },
    });
    assert.equal(transfer.status, 200, transfer.text);

    const within = (organization: number, path: string) =>
      call(app, `GET /api/v1/servers/${stage.serverId}/databases${path}`, {
        token: cast.alice,
        headers: { "x-organization": String(organization) },
      });
    for (const path of ["", `/${id}`, `/${id}/users`, `/${id}/users/${user.id}`]) {
      assert.equal((await within(cast.organizationId, path)).status, 404, path);
      assert.equal((await within(beta.organization_id, path)).status, 200, path);
    }
    assert.equal((await within(beta.organization_id, `/${id}`)).body.data.password, "a-kept-password");
    assert.equal((await ask(stage, "GET", `/${id}`, { token: cast.bob })).status, 404, "Bob is no member of Beta");
  });
});
