import assert from "node:assert/strict";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { ServerRequest } from "../../contract/types.ts";
import { mustRun } from "../../sandbox/command.ts";
import type { SandboxServer } from "../../sandbox/sandbox.ts";
import { type CloudProviderType, cloudProviderTypes } from "../../src/providers/cloud/driver.ts";
import { waitFor } from "../../stage/api-client.ts";
import {
  type Platform,
  provisionedImage,
  readServer,
  removeDirectory,
  startGitFor,
  startPlatform,
} from "../../stage/fixture.ts";
import type { GitServer } from "../../stage/git-server.ts";
import { visit } from "../../stage/projects.ts";
import { install, lengthy, type Stage } from "../../stage/support.ts";
import { type Clouds, credentials, startClouds } from "../clouds/all.ts";
import { subnetB } from "../clouds/cloud-b.ts";
import { readUserData, sandboxMachines } from "../clouds/machines.ts";

// From an order to a served project and back, at a fake of each provider with real machines.

let platform: Platform;
let clouds: Clouds;
let machines: ReturnType<typeof sandboxMachines>;
let git: GitServer | undefined;
let directory: string;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "longshore-clouds-"));
  machines = sandboxMachines({ prefix: `t${process.pid}-cloud`, image: await provisionedImage() });
  clouds = await startClouds({ machines });
  const { cloudAUrl, cloudBUrl, cloudBPricesUrl, cloudBSsmUrl, cloudCUrl } = clouds.settings;
  const env = {
    LONGSHORE_CLOUD_A_URL: cloudAUrl,
    LONGSHORE_CLOUD_B_URL: cloudBUrl,
    LONGSHORE_CLOUD_B_PRICES_URL: cloudBPricesUrl,
    LONGSHORE_CLOUD_B_SSM_URL: cloudBSsmUrl,
    LONGSHORE_CLOUD_C_URL: cloudCUrl,
  };
  platform = await startPlatform({ dataDirectory: join(directory, "data"), env });
}, lengthy);
after(async () => {
  await platform?.stop();
  await clouds?.close();
  await git?.close();
  if (directory) await removeDirectory(directory);
});

const orders: { [Type in CloudProviderType]: (provider_id: number) => ServerRequest } = {
  cloud_a: (provider_id) => ({
    provider_type: "cloud_a",
    provider_id,
    server_os: "ubuntu_24_04",
    cloud_a_location: "fsn1",
    cloud_a_server_type: "cx23",
  }),
  cloud_b: (provider_id) => ({
    provider_type: "cloud_b",
    provider_id,
    server_os: "ubuntu_24_04",
    cloud_b_region: "eu-central-1",
    cloud_b_instance_type: "t3.micro",
    cloud_b_subnet_id: subnetB("eu-central-1", "a"),
    cloud_b_volume_size: 20,
  }),
  cloud_c: (provider_id) => ({
    provider_type: "cloud_c",
    provider_id,
    server_os: "ubuntu_24_04",
    cloud_c_region: "fra1",
    cloud_c_size: "s-1vcpu-1gb",
    cloud_c_use_reserved_ip: true,
  }),
};

async function orderServer(providerType: CloudProviderType): Promise<number> {
  const { client } = platform;
  const connection = { name: providerType, provider_type: providerType, credentials: credentials[providerType] };
  const { data } = await client("POST /api/v1/server-providers", { body: connection });
  const { status, body } = await client.success("POST /api/v1/servers", { body: orders[providerType](data.id) });
  assert.equal(status, 202, body.message);
  return body.server_id;
}

/** Waits until the server is set up, with no failed step except the expected one. */
async function provisioned(serverId: number): Promise<void> {
  const { client } = platform;
  const isUp = async () => (await readServer(client, serverId)).server_status === 10;
  await waitFor(`server ${serverId} to be provisioned`, isUp, { timeoutMs: 400_000 });
  const { data } = await client("GET /api/v1/servers/{id}/setup-steps", { params: { id: serverId } });
  // The order is for Ubuntu, but the sandbox's machines run Debian: the record has to show that.
  assert.deepEqual(
    data.attention.map(({ key }) => key),
    ["operating-system"],
    JSON.stringify(data.attention),
  );
}

/** Everything that is billed at the fakes. */
const billed = (): number =>
  clouds.a.servers.size +
  clouds.a.primaryIps.size +
  [...clouds.b.instances.values()].filter(({ state }) => state !== "terminated").length +
  clouds.b.volumes.size +
  clouds.b.addresses.size +
  clouds.c.droplets.size +
  clouds.c.reservedIps.size;

/** The host key that the server shows now. */
async function shownKey(server: SandboxServer): Promise<string> {
  const [line = ""] = (await mustRun(["ssh-keyscan", "-t", "ed25519", server.address])).split("\n").filter(Boolean);
  return line.split(" ").slice(1).join(" ");
}

describe("A server ordered from", () => {
  for (const providerType of cloudProviderTypes) {
    it(`${providerType} serves a project, and nothing of it is left when it is deleted`, {
      timeout: 600_000,
    }, async () => {
      const { client } = platform;
      const serverId = await orderServer(providerType);
      await provisioned(serverId);
      const [name, server] = [...machines.servers].at(-1) ?? [];
      assert.ok(name !== undefined && server);
      assert.equal((await readServer(client, serverId)).public_ip, server.address);
      // The key from the user data is not trusted any more.
      const temporary = readUserData(machines.userData.get(name) ?? "").hostKeys.public;
      assert.notEqual(await shownKey(server), temporary.split(" ").slice(0, 2).join(" "));

      git ??= await startGitFor(server, join(directory, "git"));
      const stage = { client, serverId, git } as Stage;
      const project = await install(stage, { name: providerType.replace("_", "-"), files: { "index.html": "served" } });
      const answer = await visit({ address: server.address, host: project.domain });
      assert.deepEqual([answer.status, answer.body], [200, "served"]);

      assert.ok(billed() > 0);
      await client("DELETE /api/v1/servers/{id}", { params: { id: serverId } });
      await waitFor("everything to be deleted at the provider", () => billed() === 0, { timeoutMs: 120_000 });
      await waitFor("the machine to be gone", () => machines.servers.size === 0, { timeoutMs: 60_000 });
      assert.equal((await client.refusal("GET /api/v1/servers/{id}", { params: { id: serverId } })).status, 404);
    });
  }
});
