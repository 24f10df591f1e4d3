import assert from "node:assert/strict";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { runCommand } from "../../sandbox/command.ts";
import { cutNetwork, downServer, healNetwork, type SandboxServer } from "../../sandbox/sandbox.ts";
import { makeKeyPair } from "../../src/host/ssh/key-pair.ts";
import { waitFor } from "../../stage/api-client.ts";
import { type Platform, provisionedServer, removeDirectory, startPlatform } from "../../stage/fixture.ts";
import { lengthy } from "../../stage/support.ts";

// SSH keys of people over the API, on a real server.

const withinMinutes = { timeoutMs: 240_000 };

describe("SSH keys of people", () => {
  const name = `t${process.pid}-ssh-keys`;
  const ann = makeKeyPair("ann@laptop");
  let platform: Platform;
  let server: SandboxServer;
  let directory: string;
  let onServer: { params: { id: number } };
  let keyId: number;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "longshore-ssh-keys-"));
    await writeFile(join(directory, "ann"), ann.privateKey, { mode: 0o600 });
    platform = await startPlatform({
      dataDirectory: join(directory, "data"),
      env: { LONGSHORE_UNREACHABLE_AFTER_SECONDS: "20" },
    });
    const provisioned = await provisionedServer(platform, name);
    server = provisioned.server;
    onServer = { params: { id: provisioned.serverId } };
    const body = { name: "Laptop", public_key: `${ann.publicKey} command="false"` };
    keyId = (await platform.client("POST /api/v1/ssh-keys", { body })).data.id;
  }, lengthy);

  after(async () => {
    await downServer(name);
    await platform?.stop();
    await removeDirectory(directory);
  });

  const opensRoot = async (): Promise<boolean> => {
    const options = ["BatchMode=yes", "IdentitiesOnly=yes", "StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null"];
    const args = [...options.flatMap((option) => ["-o", option]), "-i", join(directory, "ann")];
    const port = ["-p", String(server.sshPort)];
    const { stdout } = await runCommand(["ssh", ...args, ...port, `root@${server.address}`, "id", "-un"]);
    return stdout.trim() === "root";
  };
  const list = async () => (await platform.client("GET /api/v1/servers/{id}/ssh-access", onServer)).data;
  const put = async () => {
    const input = { ...onServer, body: { ssh_key_id: keyId } };
    return (await platform.client("POST /api/v1/servers/{id}/ssh-access", input)).data.id;
  };
  const untilState = (state: string) =>
    waitFor(`the keys to be ${state}`, async () => (await list())[0]?.sync.state === state, withinMinutes);
  const untilGone = () => waitFor("the key to be gone", async () => (await list()).length === 0, withinMinutes);

  it("open root's account until they are taken away", lengthy, async () => {
    assert.equal(await opensRoot(), false);
    const access = await put();
    await untilState("applied");
    assert.equal(await opensRoot(), true);
    await platform.client("DELETE /api/v1/servers/{id}/ssh-access/{access}", {
      params: { ...onServer.params, access },
    });
    await untilGone();
    assert.equal(await opensRoot(), false);
  });

  it("wait for a server that is away, and are there when it is back", lengthy, async () => {
    await cutNetwork(name);
    await put();
    await untilState("failing");
    await healNetwork(name);
    await untilState("applied");
    assert.equal(await opensRoot(), true);
  });

  it("are gone from a server that was away when they were deleted", lengthy, async () => {
    await cutNetwork(name);
    await platform.client("DELETE /api/v1/ssh-keys/{id}", { params: { id: keyId } });
    await untilState("failing");
    assert.equal((await list())[0]?.is_removed, true);
    await healNetwork(name);
    await untilGone();
    assert.equal(await opensRoot(), false);
  });
});
