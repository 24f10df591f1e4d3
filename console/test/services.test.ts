import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { addProvisioned, addServer } from "../../src/features/servers/tests/support.ts";
import { openStage, type Stage } from "./stage.ts";

// What runs on a server, and the account that came with it. No server answers: no state is known.

let stage: Stage;
let server: number;
let page: Page;

before(async () => {
  stage = await openStage({ answerWithinSeconds: "1" });
  server = await addProvisioned(stage, { name: "web-1", database_engine: "postgresql" });
  await stage.pool.query(
    `insert into runs (server_id, kind, subject, subject_id, plan, nonce, state, ended_at, facts)
     values ($1, 'provision', 'server', $1, '{"steps": []}', 'n', 'succeeded', now(), '{"nginx_version": "1.22.1"}')`,
    [server],
  );
  page = await stage.signIn("alice", "/account");
});
after(() => stage?.close());

const address = () => `/o/${stage.cast.organizationId}/servers/${server}/services`;
const service = (name: string, of = page) => of.locator(`[data-service="${name}"]`);
const button = (name: string, of = page) => of.getByRole("button", { name, exact: true });

describe("the services of a server", () => {
  it("have their versions, and the state that the server reports", async () => {
    await page.goto(address());
    await service("nginx").getByText("1.22.1").waitFor();
    await service("nginx").getByText("Ports 80, 443").waitFor();
    await service("postgresql").locator('[data-state="unknown"]').waitFor();
    assert.equal(await service("php").locator("[data-state]").count(), 0);
  });

  it("show their account after a press, which the activity has", async () => {
    const account = await stage.as("alice")("GET /api/v1/servers/{id}/services/{service}/credentials", {
      params: { id: server, service: "postgresql" },
    });
    assert.ok(account.ok);
    const { password } = account.body.data;
    await page.goto(address());
    await button("Show credentials of PostgreSQL").press("Enter");
    await page.getByText(password).waitFor();
    await button("Hide credentials of PostgreSQL").press("Enter");
    await page.getByText(password).waitFor({ state: "detached" });
    await page.goto(`/o/${stage.cast.organizationId}/activity`);
    const entries = page.getByRole("row").filter({ hasText: "Read the account that came with a service" });
    await entries.nth(1).waitFor();
  });

  it("are not there before the setup of the server has ended", async () => {
    const id = await addServer(stage, { name: "web-2" });
    await page.goto(`/o/${stage.cast.organizationId}/servers/${id}/services`);
    await service("mariadb").locator('[data-state="not_installed"]').waitFor();
    assert.equal(await page.getByRole("button", { name: /credentials/ }).count(), 0);
  });

  it("show why their account cannot be read", async () => {
    await page.route("**/credentials*", (route) => route.fulfill({ status: 500, json: { message: "It broke." } }));
    await page.goto(address());
    await button("Show credentials of PostgreSQL").click();
    await page.getByRole("alert").getByText("It broke.").waitFor();
    await page.unrouteAll();
  });

  it("show a viewer no account", async () => {
    const victor = await stage.signIn("victor", address());
    await service("postgresql", victor).waitFor();
    assert.equal(await victor.getByRole("button", { name: /credentials/ }).count(), 0);
  });

  it("fit a phone", async () => {
    const phone = await stage.signIn("alice", address(), { viewport: { width: 360, height: 740 } });
    await service("postgresql", phone).waitFor();
    assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  });
});
