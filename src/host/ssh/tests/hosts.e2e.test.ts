import assert from "node:assert/strict";
import { after, afterEach, before, it } from "node:test";
import { cutNetwork, healNetwork } from "../../../../sandbox/sandbox.ts";
import { until } from "../../../../sandbox/until.ts";
import { JournalReader } from "../../runner/runner.ts";
import { userCommand } from "../../sh.ts";
import { type Booted, boot } from "../../tests/booted.ts";
import type { Address } from "../connection.ts";
import { Hosts } from "../hosts.ts";
import { makeKeyPair } from "../key-pair.ts";

const serverId = 1;
const restartSshd = "systemctl restart ssh && (pkill -f '^sshd: root' || true)";

let host: Booted;
let hosts: Hosts;
/** The key pinned at first contact. */
let pinned: string | undefined;
let contacts = 0;

before(async () => {
  host = await boot("hosts");
});

after(() => host?.down());

afterEach(async () => {
  await hosts.close();
});

function newHosts(change: Partial<Address> = {}, connectTimeoutMs = 20_000): Hosts {
  contacts = 0;
  hosts = new Hosts({
    connectTimeoutMs,
    lookUp: async () => {
      contacts += 1;
      return { ...host.address, hostKey: pinned, ...change };
    },
    pin: async (_id, { hostKey }) => {
      pinned ??= hostKey;
      if (pinned !== hostKey) throw new Error("another key was pinned");
    },
  });
  return hosts;
}

const say = async (text: string): Promise<string> => {
  const connection = await hosts.get(serverId);
  return (await connection.exec(userCommand(`echo ${text}`))).stdout;
};

it("makes one connection for all who ask, and pins the host key at first contact", async () => {
  newHosts();
  const connections = await Promise.all([1, 2, 3, 4].map(() => hosts.get(serverId)));
  assert.equal(new Set(connections).size, 1);
  assert.equal(await say("hello"), "hello\n");
  assert.equal(contacts, 1);
  const line = await host.bash("cat /etc/ssh/ssh_host_*_key.pub");
  assert.ok(line.includes(pinned as string));
});

it("makes a new connection when the old one was dropped", async () => {
  newHosts();
  const first = await hosts.get(serverId);
  const closed = new Promise<void>((resolve) => first.onClose(resolve));
  await host.bash("pkill -f '^sshd: root'");
  await closed;
  await assert.rejects(first.exec(userCommand("true")), { code: "server_unreachable" });
  assert.equal(await say("again"), "again\n");
  assert.equal(contacts, 2);
});

it("ends what waits for an answer when the connection is dropped", async () => {
  newHosts();
  const connection = await hosts.get(serverId);
  const rejection = assert.rejects(connection.exec(userCommand("touch /tmp/waiting; sleep 100")), {
    code: "server_unreachable",
  });
  await until("the command is at work", async () => (await host.bash("ls /tmp/waiting 2>/dev/null || true")) !== "");
  await host.bash("pkill -f '^sshd: root'");
  await rejection;
});

it("runs twelve commands at once and follows beside them, within the sessions that sshd allows", async () => {
  newHosts();
  const connection = await hosts.get(serverId);
  const received: string[] = [];
  const stop = await connection.follow(userCommand("echo following; exec sleep 100"), (line) => received.push(line));
  await connection.sftp();
  const numbers = [...Array(12).keys()];
  const results = await Promise.all(
    numbers.map((n) => connection.exec(userCommand(`echo ${n}; sleep 0.3; exit ${n}`))),
  );
  assert.deepEqual(
    results.map(({ exitCode, stdout }) => [exitCode, stdout]),
    numbers.map((n) => [n, `${n}\n`]),
  );
  await until("the line was received that is followed", () => received.length > 0);
  assert.deepEqual(received, ["following"]);
  assert.ok(connection.isOpen);
  stop();
});

it("returns what a command printed and how it ended, also when a signal ended it", async () => {
  newHosts();
  const connection = await hosts.get(serverId);
  const input = "a\0b\n".repeat(100_000);
  const { stdout } = await connection.exec(userCommand("sha256sum; wc -c < /dev/null"), { input });
  assert.match(stdout, /^[0-9a-f]{64} /);
  const killed = await connection.exec(userCommand("echo said >&2; kill -9 $$"));
  assert.deepEqual(killed, { exitCode: -1, stdout: "", stderr: "said\n" });
});

it("reads files on a new channel when the one before has ended, and rejects the waiting calls", async () => {
  newHosts();
  const connection = await hosts.get(serverId);
  await host.bash(
    "mkfifo /tmp/silent; mkdir -p /var/lib/longshore/runs/{1,2}; echo 1 >/var/lib/longshore/runs/1/journal",
  );
  await host.bash("echo 2 >/var/lib/longshore/runs/2/journal");
  const [first, second] = [new JournalReader(connection, 1), new JournalReader(connection, 2)];
  assert.equal((await first.read(0, 100)).toString(), "1\n");
  const waits = assert.rejects((await connection.sftp()).openFile("/tmp/silent"), { code: "server_unreachable" });
  await host.bash("pkill -x sftp-server");
  await waits;
  assert.equal((await second.read(0, 100)).toString(), "2\n");
  assert.equal((await first.read(0, 100)).toString(), "1\n", "not what the handle of before means now");
  await connection.prove(20_000);
  assert.ok(connection.isOpen);
});

it("rejects a command that takes longer than it may, and continues with the next", async () => {
  newHosts();
  const connection = await hosts.get(serverId);
  await assert.rejects(connection.exec(userCommand("sleep 100"), { timeoutMs: 200 }), /no answer within 0.2 s/);
  assert.equal(await say("next"), "next\n");
});

it("refuses a host key that is not the pinned one, and sends nothing", async () => {
  await host.bash("cp -a /etc/ssh /var/tmp/ssh.kept");
  await host.bash(`rm /etc/ssh/ssh_host_*; ssh-keygen -A; ${restartSshd}`);
  try {
    newHosts();
    await assert.rejects(hosts.get(serverId), (error: Error & { code?: string; permanent?: boolean }) => {
      assert.equal(error.code, "host_key_changed");
      assert.equal(error.permanent, true);
      assert.match(error.message, /expected SHA256:\S+, got SHA256:\S+\..*Nothing was sent to it\.$/);
      return true;
    });
  } finally {
    await host.bash(`rm -rf /etc/ssh && mv /var/tmp/ssh.kept /etc/ssh && ${restartSshd}`);
  }
  assert.equal(await say("trusted again"), "trusted again\n");
});

it("reports when the key is refused, and when the server does not answer", async () => {
  newHosts({ privateKey: makeKeyPair("another").privateKey });
  await assert.rejects(hosts.get(serverId), { code: "authentication_refused", permanent: true });
  newHosts({ port: 9 });
  await assert.rejects(hosts.get(serverId), { code: "server_unreachable" });
});

it("notices that the other side vanished, and connects again when it is back", async () => {
  newHosts({}, 10_000);
  const connection = await hosts.get(serverId);
  await cutNetwork(host.server.name);
  try {
    await assert.rejects(connection.prove(500), { code: "server_unreachable" });
    assert.ok(!connection.isOpen);
    await assert.rejects(hosts.get(serverId), { code: "server_unreachable" });
  } finally {
    await healNetwork(host.server.name);
  }
  assert.equal(await say("back"), "back\n");
});
