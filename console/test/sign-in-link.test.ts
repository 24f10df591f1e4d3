import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { makeSignInCode, signInPage } from "../../src/features/sign-in/links/actions.ts";
import { emailOf, openStage, type Stage } from "./stage.ts";

let stage: Stage;
before(async () => {
  stage = await openStage();
});
after(() => stage.close());

test("a printed link signs in at a press, once", async () => {
  const link = signInPage("", await makeSignInCode(stage.ctx, emailOf("alice")));
  const page = await stage.visit(link);
  const signIn = page.getByRole("button", { name: "Sign in", exact: true });
  await signIn.waitFor();
  assert.equal((await page.request.get("/api/v1/me")).status(), 401, "The link alone does nothing.");
  await signIn.click();
  await page.waitForURL(`**/o/${stage.cast.organizationId}`);
  assert.ok(!page.url().includes("#"));
  assert.equal((await (await page.request.get("/api/v1/me")).json()).data.email, emailOf("alice"));
  await page.context().close();
  const later = await stage.visit(link);
  await later.getByRole("button", { name: "Sign in", exact: true }).click();
  await later.getByText("The link was used or replaced").waitFor();
  await later.getByRole("link", { name: "Sign in with a password" }).click();
  await later.getByLabel("Email").waitFor();
  await later.context().close();
});
