import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { row, sql } from "../../src/db/sql.ts";
import { resourceOf } from "../../src/features/sign-in/oauth/schema.ts";
import { openProgramSite, type ProgramSite } from "../../src/features/sign-in/oauth/tests/support.ts";
import { openStage, password, type Stage } from "./stage.ts";

let site: ProgramSite;
/** Where the assistant listens on the person's computer. */
let assistant: Server;
let stage: Stage;
before(async () => {
  site = await openProgramSite();
  assistant = createServer((_request, response) => response.end("Connected")).listen(0, "127.0.0.1");
  await once(assistant, "listening");
  stage = await openStage({ mcpOauth: "on", monitorAllow: "127.0.0.1,::1" });
});
after(async () => {
  await stage?.close();
  assistant?.close();
  site?.close();
});

const host = () => `127.0.0.1:${(assistant.address() as AddressInfo).port}`;

/** The address that an assistant opens. */
const pageOf = (more: Record<string, string> = {}) =>
  `/authorize?${new URLSearchParams({
    response_type: "code",
    client_id: site.clientId,
    redirect_uri: `http://${host()}/callback`,
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
    resource: resourceOf(stage.ctx.config),
    state: "xyz",
    scope: "project:read deployment:create",
    ...more,
  })}`;

describe("an assistant that asks for a token", () => {
  it("gets the permissions that the person leaves it, after signing in", async () => {
    const page = await stage.visit(pageOf());
    await page.waitForURL("**/sign-in?**");
    await page.getByLabel("Email").fill("alice@example.com");
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(/\/authorize#[A-Z]{4}-[A-Z]{4}$/);
    await page.getByText(new URL(site.clientId).host, { exact: true }).waitFor();
    await page.getByText("Assistant", { exact: true }).waitFor();
    await page.getByText(`this computer (${host()})`).waitFor();
    assert.equal(await page.getByRole("checkbox", { name: "project:read" }).isChecked(), true);
    assert.equal(await page.getByRole("checkbox", { name: "server:delete" }).isChecked(), false);
    await page.getByText("deployment:create", { exact: true }).click();
    await page.getByLabel("Name of the token").fill("assistant of Alice");
    await page.getByRole("button", { name: "Approve" }).click();
    await page.waitForURL(`http://${host()}/callback?**`);
    const { code, ...answer } = Object.fromEntries(new URL(page.url()).searchParams);
    assert.match(code ?? "", /^lsc_/);
    assert.deepEqual(Object.keys(answer), ["state", "iss"]);
    const chosen = await row(
      stage.pool,
      sql`select token_name, token_permissions from device_authorizations where state = 'approved'`,
    );
    assert.deepEqual(chosen, { token_name: "assistant of Alice", token_permissions: ["project:read"] });
  });

  it("stays when the page is loaded again", async () => {
    const page = await stage.signIn("bob", pageOf());
    await page.getByRole("button", { name: "Approve" }).waitFor();
    const requests = site.requests.length;
    await page.reload();
    await page.getByRole("button", { name: "Approve" }).waitFor();
    assert.equal(site.requests.length, requests);
  });

  it("is denied", async () => {
    const page = await stage.signIn("victor", pageOf());
    await page.getByRole("button", { name: "Deny" }).click();
    await page.waitForURL(`http://${host()}/callback?error=access_denied&**`);
  });

  it("is not followed when it asks for something else, unless the person wants that", async () => {
    const page = await stage.signIn("victor", pageOf({ code_challenge_method: "plain" }));
    await page.getByRole("alert").getByText("PKCE").waitFor();
    await page.getByRole("button", { name: `Back to ${host()}` }).click();
    await page.waitForURL(`http://${host()}/callback?error=invalid_request&**`);
  });

  it("leads nowhere when it is not known", async () => {
    const page = await stage.signIn("victor", pageOf({ redirect_uri: "https://evil.example/callback" }));
    await page.getByRole("alert").getByText("does not list").waitFor();
    assert.equal(await page.getByRole("button").count(), 0);
  });

  it("is on a page that no other page can frame", async () => {
    const { headers } = await fetch(stage.url + pageOf(), { headers: { accept: "text/html" } });
    assert.match(headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
    const page = await stage.visit();
    await page.goto(`http://${host()}/`);
    const refused = page.waitForEvent("console", (message) => message.text().includes("frame-ancestors"));
    await page.evaluate((address) => {
      const frame = document.createElement("iframe");
      frame.src = address;
      document.body.append(frame);
    }, stage.url + pageOf());
    await refused;
    stage.problems.splice(0);
  });
});
