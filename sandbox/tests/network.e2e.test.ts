import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { greetsAsSsh } from "../container.ts";
import {
  cutNetwork,
  downServer,
  execOn,
  healNetwork,
  listServers,
  rebootServer,
  type SandboxServer,
  upServer,
} from "../sandbox.ts";
import { until } from "../until.ts";
import { openShell, overSsh, overSshBriefly, tracesOf, uniqueName } from "./cast.ts";

const name = uniqueName("cut");
const neighbour = uniqueName("beside");
let server: SandboxServer;

before(async () => {
  [server] = await Promise.all([upServer({ name }), upServer({ name: neighbour })]);
});
after(() => Promise.all([name, neighbour].map(downServer)));

test("a cut lets packets vanish: new connections hang instead of being refused", async () => {
  await cutNetwork(name);
  const { exitCode, stderr } = await overSshBriefly(server, "true");
  assert.equal(exitCode, 255);
  assert.match(stderr, /timed out/);
  const fromBeside = await execOn(neighbour, ["timeout", "2", "bash", "-c", `</dev/tcp/${server.address}/22`]);
  assert.equal(fromBeside.exitCode, 124);
  assert.equal((await listServers()).find((each) => each.name === name)?.status, "cut");
});

test("a cut server still runs commands, and reaches nothing", async () => {
  await cutNetwork(name);
  const gateway = server.address.replace(/\d+$/, "1");
  const { exitCode } = await execOn(name, ["timeout", "2", "bash", "-c", `</dev/tcp/${gateway}/22`]);
  assert.equal(exitCode, 124);
});

test("healing brings the server back", async () => {
  await cutNetwork(name);
  await healNetwork(name);
  assert.equal((await overSsh(server, "echo back")).stdout, "back\n");
  assert.deepEqual(await tracesOf(`longshore-lsbr\\d+-cut-${server.address}`), []);
});

test("an open connection hangs during a cut, and continues after it", async () => {
  const shell = openShell(server);
  assert.equal(await shell.say("before\n"), "before\n");
  await cutNetwork(name);
  const answer = shell.say("during\n");
  // A test that nothing arrives has to wait.
  assert.equal(await Promise.race([answer, wait(1500, "silence")]), "silence");
  await healNetwork(name);
  assert.equal(await answer, "during\n");
  shell.close();
});

test("a cut outlasts a reboot", async () => {
  await cutNetwork(name);
  await rebootServer(name);
  await until("the system inside had booted", async () => {
    const { stdout } = await execOn(name, ["systemctl", "is-active", "ssh"]);
    return stdout === "active\n";
  });
  assert.equal(await greetsAsSsh(server.address), false);
  await healNetwork(name);
  await until("SSH answered", () => greetsAsSsh(server.address));
});
