import assert from "node:assert/strict";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { mustRun } from "../command.ts";
import { serverPaths } from "../paths.ts";
import { findProcesses } from "../processes.ts";
import { findRecord } from "../records.ts";
import { downServer, execOn, listServers, rebootServer, upServer } from "../sandbox.ts";
import { until } from "../until.ts";
import { overSsh, tracesOf, uniqueName } from "./cast.ts";

const names = ["alpha", "beta", "gamma", "crash", "again"].map(uniqueName);
const [alpha = "", beta = "", gamma = "", crash = "", again = ""] = names;

after(async () => {
  for (const name of names) await downServer(name);
});

const ended = (name: string): Promise<boolean> =>
  until(`the container of ${name} had ended`, async () => {
    const { containers, supervisors } = findProcesses(serverPaths(name));
    return containers.length + supervisors.length === 0;
  });

test("a server boots within seconds and root logs in over SSH", async () => {
  const started = performance.now();
  const server = await upServer({ name: alpha });
  assert.ok(performance.now() - started < 180_000);
  const { stdout, stderr } = await overSsh(server, "hostname; systemctl is-system-running --wait");
  assert.equal(stdout, `${alpha}\nrunning\n`, stderr);
});

test("the system inside is a Debian that reaches the package registry", async () => {
  await upServer({ name: alpha });
  const { exitCode, stderr } = await execOn(alpha, ["apt-get", "-o", "Acquire::Retries=5", "update"]);
  assert.equal(exitCode, 0, stderr);
  assert.doesNotMatch(stderr, /^[WE]:/m);
});

test("a command gets its words and its input as they are, and its exit code comes back", async () => {
  await upServer({ name: alpha });
  const words = ["a b", "$HOME", "it's", ""];
  const { stdout } = await execOn(alpha, ["printf", "[%s]", ...words]);
  assert.equal(stdout, words.map((word) => `[${word}]`).join(""));
  const echoed = await execOn(alpha, ["sh", "-c", "cat; echo oops >&2; exit 7"], { input: "text\n" });
  assert.deepEqual(echoed, { exitCode: 7, stdout: "text\n", stderr: "oops\n" });
});

test("units run in a cgroup of the server's own", async () => {
  await Promise.all([upServer({ name: alpha }), upServer({ name: beta })]);
  await execOn(beta, ["systemd-run", "--unit=only-on-beta", "sleep", "600"]);
  const find = ["find", "/sys/fs/cgroup", "-name", "only-on-beta.service"];
  assert.notEqual((await execOn(beta, find)).stdout, "");
  assert.equal((await execOn(alpha, find)).stdout, "");
});

test("two servers that start at the same time get addresses of their own and reach each other", async () => {
  const [one, two] = await Promise.all([upServer({ name: beta }), upServer({ name: gamma })]);
  assert.notEqual(one.address, two.address);
  const keys = await Promise.all([one, two].map(({ address }) => mustRun(["ssh-keyscan", "-t", "ed25519", address])));
  assert.notEqual(keys[0]?.split(" ")[2], keys[1]?.split(" ")[2]);
  const { exitCode } = await execOn(beta, ["timeout", "30", "bash", "-c", `</dev/tcp/${two.address}/22`]);
  assert.equal(exitCode, 0);
});

test("a server that is up already is returned, and further keys may log in", async () => {
  const server = await upServer({ name: alpha });
  const key = join(await mkdtemp(join(tmpdir(), "key-")), "id");
  await mustRun(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key]);
  assert.equal((await overSsh({ ...server, privateKeyPath: key }, "true")).exitCode, 255);
  const same = await upServer({ name: alpha, authorizedKeys: [await readFile(`${key}.pub`, "utf8")] });
  assert.deepEqual(same, server);
  assert.equal((await overSsh({ ...server, privateKeyPath: key }, "true")).exitCode, 0);
});

test("a reboot keeps the disk and ends when SSH answers again", async () => {
  const server = await upServer({ name: alpha });
  await execOn(alpha, ["touch", "/root/kept", "/run/lost"]);
  await rebootServer(alpha);
  const { stdout } = await overSsh(server, "ls /root/kept /run/lost 2>/dev/null");
  assert.equal(stdout, "/root/kept\n");
});

test("removing a server leaves no mount, device, rule, process or cgroup", async () => {
  await upServer({ name: gamma });
  const record = await findRecord(gamma);
  assert.ok(record);
  const marks = [gamma, record.machine, `vb-${record.machine}`, record.address.replaceAll(".", "\\.")];
  assert.notDeepEqual(await tracesOf(...marks), []);
  await downServer(gamma);
  assert.deepEqual(await tracesOf(...marks), []);
  assert.equal(await mustRun(["find", "/sys/fs/cgroup", "-name", `longshore-${record.machine}`]), "");
  assert.ok(!(await listServers()).some(({ name }) => name === gamma));
});

test("after its container was killed a server is stopped, and up makes a new one", async () => {
  await upServer({ name: crash });
  await execOn(crash, ["touch", "/root/old"]);
  const { containers, leader } = findProcesses(serverPaths(crash));
  for (const pid of containers) process.kill(pid, "SIGKILL");
  await ended(crash);
  const status = (await listServers()).find(({ name }) => name === crash)?.status;
  assert.equal(status, "stopped");
  await assert.rejects(execOn(uniqueName("missing"), ["true"]), /There is no server/);

  const server = await upServer({ name: crash });
  assert.equal((await overSsh(server, "ls /root")).stdout, "");
  const now = findProcesses(serverPaths(crash));
  assert.notEqual(now.leader, leader);
  assert.equal(now.containers.length, 1);
});

test("a server that shut itself down is removed by name", async () => {
  await upServer({ name: again });
  const record = await findRecord(again);
  await execOn(again, ["systemctl", "poweroff"]);
  await ended(again);
  await downServer(again);
  assert.deepEqual(await tracesOf(again, record?.machine ?? "unknown"), []);
});
