import assert from "node:assert/strict";
import { copyFile, mkdtemp, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, it } from "node:test";
import { mustRun } from "../../sandbox/command.ts";
import { ensureBridgeAddress } from "../../sandbox/network.ts";
import { type NodeMirror, startNodeMirror } from "../../sandbox/node-mirror.ts";
import { serverPaths } from "../../sandbox/paths.ts";
import { downServer, execOn, type SandboxServer, upServer } from "../../sandbox/sandbox.ts";
import { type Api, api, waitFor } from "../../stage/api-client.ts";
import { readServer, removeDirectory, setupSuccess, startGitFor } from "../../stage/fixture.ts";
import type { GitServer } from "../../stage/git-server.ts";
import { visit } from "../../stage/projects.ts";
import { install, lengthy, type Project } from "../../stage/support.ts";

// One machine for everything: the panel, which manages the machine that it runs on, and projects beside it.

const root = resolve(import.meta.dirname, "../..");
const panel = "panel.example.com";
const name = `own-machine-${process.pid}`;
const settingsFile = "/etc/longshore-control/longshore.env";

let directory: string;
let server: SandboxServer;
let mirror: NodeMirror;
let git: GitServer;
let client: Api;
let serverId: number;
let page: Project;
let health: { failures: string[]; count: number; stop(): void };

const run = (script: string) => execOn(name, ["bash", "-euo", "pipefail", "-c", script]);

async function bash(script: string): Promise<string> {
  const { exitCode, stdout, stderr } = await run(script);
  assert.equal(exitCode, 0, `${script}\n${stderr}${stdout}`);
  return stdout.trim();
}

const json = async (command: string) =>
  JSON.parse((await bash(`longshore ${command} --json`)).split("\n").at(-1) ?? "") as Record<string, string | null>;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "longshore-own-machine-"));
  const printed = await mustRun([join(root, "longshore"), "package", "--out", directory, "--json"]);
  const { deb } = JSON.parse(printed.trim().split("\n").at(-1) ?? "") as { deb: string };
  server = await upServer({ name, distribution: "bookworm" });
  mirror = await startNodeMirror({ host: await ensureBridgeAddress() });
  git = await startGitFor(server, join(directory, "git"));
  await copyFile(deb, join(serverPaths(name).root, "root/longshore.deb"));
  await bash(`dpkg --install /root/longshore.deb; mkdir -p -m 700 ${settingsFile.replace(/\/[^/]*$/, "")}`);
  const settings = [
    `LONGSHORE_NODE_MIRROR=${mirror.url}`,
    "LONGSHORE_RATE_LIMIT=1000000",
    // No authority answers: nginx shows a certificate that the machine signed itself.
    "LONGSHORE_ACME_DIRECTORY=https://127.0.0.1:9/directory",
  ];
  await writeFile(join(serverPaths(name).root, settingsFile), `${settings.join("\n")}\n`, { mode: 0o600 });
}, lengthy);

after(async () => {
  health?.stop();
  await git?.close();
  await mirror?.close();
  await downServer(name);
  await removeDirectory(directory);
});

/** Asks for the health of the panel all the time, and counts what was no answer. */
function watchHealth(): typeof health {
  const watched = { failures: [] as string[], count: 0, stop: () => clearInterval(timer) };
  const timer = setInterval(async () => {
    const failure = await fetch(`http://${server.address}:8080/api/v1/health`, { signal: AbortSignal.timeout(5_000) })
      .then(({ status }) => (status === 200 ? undefined : String(status)))
      .catch((error: Error) => `${error.message} ${(error.cause as Error | undefined)?.message ?? ""}`);
    watched.count++;
    if (failure !== undefined) watched.failures.push(failure);
  }, 250);
  return watched;
}

const statusOverTls = (host: string): Promise<number | undefined> =>
  new Promise((done, reject) => {
    const options = { host: server.address, servername: host, headers: { host }, rejectUnauthorized: false };
    request({ ...options, path: "/api/v1/health" }, (answer) => done(answer.resume().statusCode))
      .on("error", reject)
      .end();
  });

describe("a machine that is panel and server at once", () => {
  it("is offered by an installation whose operator allows it, with nginx in front of the panel", lengthy, async () => {
    const installed = await json(`service install --host 0.0.0.0 --domain ${panel} --manage-this-machine`);
    assert.equal(installed.address, `https://${panel}`);
    assert.equal(await statusOverTls(panel), 200);
    assert.equal(await bash("stat -c '%a %U' /var/lib/longshore-control/this-machine.key"), "600 longshore");
    assert.match(
      await bash("grep longshore-this-machine /root/.ssh/authorized_keys"),
      /^from="127\.0\.0\.1,::1",restrict ssh-ed25519 \S+ longshore-this-machine$/,
    );
    await json("service install --manage-this-machine");
    assert.equal(await bash("grep -c longshore-this-machine /root/.ssh/authorized_keys"), "1");
    const url = `http://${server.address}:8080`;
    const { hash } = new URL((await json("service install")).setup_url ?? "");
    const account = {
      name: "Alice",
      email: "alice@example.com",
      organization: "Acme",
      password: "correct horse battery",
    };
    const made = await fetch(`${url}/api/v1/setup`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ code: hash.slice(1), ...account }),
    });
    assert.ok(made.ok, await made.text());
    const printed = await bash(
      "longshore admin token --email alice@example.com --name test --permissions '*' --json 2>/dev/null",
    );
    const { token } = JSON.parse(printed.split("\n").at(-1) ?? "") as { token: string };
    client = api({ url, token });
    const { data } = await client("GET /api/v1/this-machine");
    assert.deepEqual(data, { is_offered: true, reason: null, public_ip: server.address, server_os: "debian_12" });
  });

  it("is set up by the panel on it, which stays reachable", lengthy, async () => {
    health = watchHealth();
    const created = await client("POST /api/v1/servers", { body: { this_machine: true, name: "panel" } });
    serverId = created.server_id;
    await setupSuccess(client, serverId);
    health.stop();
    assert.ok(health.count > 20, `${health.count}`);
    assert.deepEqual(health.failures, []);
    assert.equal(await statusOverTls(panel), 200, "its site is as it was");
    const { state, is_this_machine } = await readServer(client, serverId);
    assert.deepEqual([state, is_this_machine], ["ready", true]);
  });

  it("serves a project beside the panel", lengthy, async () => {
    page = await install(
      { client, serverId, git },
      { name: "page", frameworkId: 10, files: { "index.html": "<h1>one</h1>" } },
    );
    const { status, body } = await visit({ address: server.address, host: page.domain });
    assert.deepEqual([status, body], [200, "<h1>one</h1>"]);
    assert.equal(await statusOverTls(panel), 200);
  });

  it("gives no project the panel's name", async () => {
    const { status, body } = await client.refusal("POST /api/v1/projects/{id}/domains", {
      params: { id: page.id },
      body: { domain: panel },
    });
    assert.equal(status, 422);
    assert.match(JSON.stringify(body), /leads to Longshore itself/);
  });

  it("keeps projects away from the panel's data, its key and its port", async () => {
    const asProject = async (script: string) =>
      (await run(`setpriv --reuid=project-${page.id} --regid=project-${page.id} --clear-groups bash -c '${script}'`))
        .exitCode;
    assert.notEqual(await asProject("cat /var/lib/longshore-control/this-machine.key"), 0);
    assert.notEqual(await asProject("ls /var/lib/longshore-control"), 0);
    assert.notEqual(await asProject("cat /etc/longshore-control/longshore.env"), 0);
    // The panel trusts the proxy at 127.0.0.1 for where a request came from.
    const forged = 'curl -s -o /dev/null --max-time 5 -H "X-Forwarded-For: 192.0.2.1"';
    for (const host of ["127.0.0.1", server.address]) {
      assert.equal(await asProject(`${forged} http://${host}:8080/api/v1/health`), 7, host);
    }
    await bash("curl -s --fail -o /dev/null http://127.0.0.1:8080/api/v1/health");
  });

  it("is not rebooted, transferred or moved to another port in silence", async () => {
    const params = { id: serverId };
    const reboot = await client.refusal("POST /api/v1/servers/{id}/reboot", { params });
    assert.match(JSON.stringify(reboot.body), /Longshore itself runs on panel/);
    assert.equal((await client.refusal("PUT /api/v1/servers/{id}", { params, body: { ssh_port: 2222 } })).status, 422);
  });

  it("comes back with the panel after a reboot that was confirmed", lengthy, async () => {
    const boot = await bash(
      "cat /proc/sys/kernel/random/boot_id; systemctl show -P ActiveEnterTimestampMonotonic longshore",
    );
    await client("POST /api/v1/servers/{id}/reboot", { params: { id: serverId }, query: { confirm: "panel" } });
    await waitFor(
      "the machine to be back with the panel",
      async () => (await readServer(client, serverId)).connection_error === null,
      { timeoutMs: 240_000, intervalMs: 1_000 },
    );
    assert.notEqual(
      await bash("cat /proc/sys/kernel/random/boot_id; systemctl show -P ActiveEnterTimestampMonotonic longshore"),
      boot,
    );
    assert.equal((await visit({ address: server.address, host: page.domain })).status, 200);
  });

  it("is left by the deletion of its record, and can be added again", lengthy, async () => {
    const { message } = await client("DELETE /api/v1/servers/{id}", {
      params: { id: serverId },
      query: { confirm: "panel" },
    });
    assert.match(message, /keeps running with Longshore on it, and can be added again/);
    assert.equal((await client("GET /api/v1/this-machine")).data.is_offered, true);
    await waitFor(
      "the settings of sshd to be the machine's own",
      async () => (await run("test ! -e /etc/ssh/sshd_config.d/10-longshore.conf")).exitCode === 0,
      { timeoutMs: 60_000 },
    );
    assert.equal(await bash("grep -c longshore-this-machine /root/.ssh/authorized_keys"), "1");
    const again = await client("POST /api/v1/servers", { body: { this_machine: true, name: "panel" } });
    // Its step about projects of another installation finds the one that was deleted.
    await waitFor(
      "the machine to be set up again",
      async () => (await readServer(client, again.server_id)).server_status === 10,
      { timeoutMs: 540_000, intervalMs: 500 },
    );
  });

  it("keeps its projects when the panel is removed", lengthy, async () => {
    await json("service uninstall");
    assert.equal((await run("grep longshore-this-machine /root/.ssh/authorized_keys")).exitCode, 1);
    assert.equal((await run("ls /etc/longshore/ports/longshore-control.nft")).exitCode, 2);
    const { status, body } = await visit({ address: server.address, host: page.domain });
    assert.deepEqual([status, body], [200, "<h1>one</h1>"]);
  });
});
