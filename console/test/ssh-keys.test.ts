import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { after, before, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import { addProvisioned, addServer } from "../../src/features/servers/tests/support.ts";
import { openStage, reach, type Stage } from "./stage.ts";

// Keys of people and of the organization, and the servers that they open. No server responds: a key is not confirmed there.

let stage: Stage;
let page: Page;
let serverId: number;
before(async () => {
  stage = await openStage();
  serverId = await addProvisioned(stage, { name: "web-1" });
  page = await stage.signIn("alice", "/account");
});
after(() => stage?.close());

const organization = () => `/o/${stage.cast.organizationId}`;
const settings = (id: number) => `${organization()}/servers/${id}/settings`;
const button = (name: string, within: Page | Locator = page) => within.getByRole("button", { name, exact: true });
const dialog = (of = page) => of.getByRole("dialog").or(of.getByRole("alertdialog"));
const table = (name: string, of = page) => of.getByRole("table", { name, exact: true });

/** A line of a `.pub` file. */
function newPublicKey(): string {
  const { x = "" } = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
  const field = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes]);
  const blob = Buffer.concat([field(Buffer.from("ssh-ed25519")), field(Buffer.from(x, "base64url"))]);
  return `ssh-ed25519 ${blob.toString("base64")}`;
}

const addedBy = async (person: "bob" | "alice", name: string, owner: "user" | "organization" = "user") => {
  const reply = await stage.as(person)("POST /api/v1/ssh-keys", { body: { name, public_key: newPublicKey(), owner } });
  assert.ok(reply.ok, JSON.stringify(reply.body));
  return reply.body.data.id;
};

describe("SSH keys", () => {
  it("are added with the API's sentence at a bad one, and deleted", async () => {
    await page.goto(`${organization()}/settings/ssh-keys`);
    await page.getByText("No SSH keys yet").first().waitFor();
    await button("Add SSH key").click();
    await dialog().getByLabel("Name").fill("Laptop");
    await dialog().getByLabel("Public key").fill("ssh-dss AAAA");
    await button("Add SSH key", dialog()).click();
    await dialog().locator("[data-invalid]").filter({ hasText: "Public key" }).first().waitFor();
    await dialog().getByLabel("Public key").fill(`${newPublicKey()} me@home`);
    await button("Add SSH key", dialog()).click();
    await table("Your SSH keys").getByText("SHA256:").waitFor();
    await button("Delete SSH key Laptop").click();
    await button("Delete SSH key", dialog()).click();
    await table("Your SSH keys").waitFor({ state: "detached" });
  });

  it("of others are not one's own, and those of the organization are shown to all", async () => {
    await addedBy("bob", "Bob's laptop");
    await addedBy("alice", "Backups", "organization");
    await table("SSH keys of the organization").getByText("Backups").waitFor();
    assert.equal(await page.getByText("Bob's laptop").count(), 0);
    const bob = await stage.signIn("bob", `${organization()}/settings/ssh-keys`);
    await table("Your SSH keys", bob).getByText("Bob's laptop").waitFor();
    assert.equal(await button("Delete SSH key Backups", bob).count(), 0);
    assert.equal(await button("Add SSH key of the organization", bob).count(), 0);
  });
});

describe("SSH access to a server", () => {
  it("is granted to a member's key, shows what the server has not taken, and is removed", async () => {
    await page.goto(settings(serverId));
    await page.getByText("No key of a person is on the server").waitFor();
    await button("Add SSH key").click();
    await dialog().getByRole("combobox", { name: "SSH key" }).fill("bob");
    await page.getByRole("option", { name: /Bob's laptop \(Bob\)/ }).click();
    await button("Add SSH key", dialog()).click();
    const row = table("SSH access").getByRole("row", { name: /Bob's laptop/ });
    await row.getByText("Bob", { exact: true }).waitFor();
    await row.getByText("root").waitFor();
    await row.locator('[data-state="pending"], [data-state="failing"]').waitFor();
    await button("Remove SSH key Bob's laptop").click();
    await button("Remove SSH key", dialog()).click();
    await row.locator('[data-state="removed"]').waitFor();
  });

  it("cannot be granted during the setup, and says so before the press", async () => {
    await page.goto(settings(await addServer(stage, { name: "new-1" })));
    await reach(page.getByRole("button", { name: "Add SSH key", disabled: true }));
    await page.getByRole("tooltip").getByText("The setup of new-1 has not ended yet.").waitFor();
  });

  it("follows events, and is read by a viewer on a phone", async () => {
    const victor = await stage.signIn("victor", settings(serverId), { viewport: { width: 360, height: 740 } });
    await table("SSH access", victor).waitFor();
    assert.equal(await button("Add SSH key", victor).count(), 0);
    const ssh_key_id = await addedBy("alice", "Alice's laptop");
    const granted = await stage.as("alice")("POST /api/v1/servers/{id}/ssh-access", {
      params: { id: serverId },
      body: { ssh_key_id },
    });
    assert.ok(granted.ok);
    await table("SSH access", victor).getByText("Alice's laptop").waitFor();
    assert.equal(await victor.evaluate(() => document.documentElement.scrollWidth), 360);
  });
});
