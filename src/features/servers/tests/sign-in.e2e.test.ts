import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { Client, type ConnectConfig } from "ssh2";
import { execOn } from "../../../../sandbox/sandbox.ts";
import { until } from "../../../../sandbox/until.ts";
import { withPrelude } from "../../../host/runner/prelude.ts";
import { type Script, sh } from "../../../host/sh.ts";
import { connect } from "../../../host/ssh/connect.ts";
import { makeKeyPair } from "../../../host/ssh/key-pair.ts";
import { hardenSshd, restoreSshd, sshdFile } from "../../../host/ssh/sshd.ts";
import { type Booted, boot } from "../../../host/tests/booted.ts";
import { leaveServer } from "../access.ts";

// Who can sign in at a real sshd before its setup, after it, and after the server was deleted.

const control = makeKeyPair("longshore");
const person = makeKeyPair("ann@example.com");
const key = person.publicKey;
const bare = (publicKey: string) => publicKey.split(" ").slice(0, 2).join(" ");
const password = "correct-horse";
const rootsKeys = "/root/.ssh/authorized_keys";

let host: Booted;

before(async () => {
  host = await boot("sign-in");
  await host.bash(`
    mkdir -p /etc/ssh/keys
    useradd --create-home --shell /bin/bash ann
    install -d -o ann -g ann -m 700 /home/ann/.ssh`);
});

after(() => host?.down());

// As many providers deliver a machine: root has a password. The connect command was run.
beforeEach(async () => {
  await host.bash(`
    printf 'PasswordAuthentication yes\nPermitRootLogin yes\n' > /etc/ssh/sshd_config.d/50-machine.conf
    rm -f ${sshdFile} ${sshdFile}.removed /etc/ssh/sshd_config.d/60-owner.conf /etc/ssh/keys/* /etc/sudoers.d/ann
    rm -f /home/ann/.ssh/* /root/.ssh/authorized_keys2
    printf 'root:${password}\nann:${password}\n' | chpasswd
    gpasswd --delete ann sudo > /dev/null 2>&1 || true
    chmod 755 /home/ann
    systemctl reset-failed ssh
    systemctl restart ssh`);
  await write(rootsKeys, control.publicKey);
});

const write = (file: string, ...lines: string[]) =>
  host.bash(sh`printf '%s\\n' ${lines} > ${file}; chmod 644 ${file}`.script);

const run = ({ script }: Script) => execOn(host.server.name, ["bash", "-euo", "pipefail", "-c", script]);
const harden = () => run(withPrelude("?", hardenSshd(control.publicKey)));

/** Leaves the server as the control plane does: over SSH, with its own key. */
async function leave() {
  const connection = await connect({ ...host.address, privateKey: control.privateKey }, 20_000);
  return connection.exec(leaveServer(control.publicKey)).finally(() => connection.close());
}

type Credentials = Pick<ConnectConfig, "password" | "privateKey">;

/** Whether sshd accepts them; repeats a connection that it dropped because it was reloading its files. */
async function signsIn(username: string, by: Credentials): Promise<boolean> {
  let answer: boolean | undefined;
  await until("sshd answers", async () => {
    answer = await tryToSignIn(username, by);
    return answer !== undefined;
  });
  return answer === true;
}

function tryToSignIn(username: string, by: Credentials): Promise<boolean | undefined> {
  const client = new Client();
  const { promise, resolve } = Promise.withResolvers<boolean | undefined>();
  client.on("ready", () => resolve(true));
  client.on("error", ({ level }) => resolve(level === "client-authentication" ? false : undefined));
  client.connect({ host: host.address.host, port: host.address.port, username, ...by });
  return promise.finally(() => client.end());
}

const byPassword = () => signsIn("root", { password });
const byKey = (username = "root") => signsIn(username, { privateKey: person.privateKey });

// sshd reads its files shortly after it was asked to.
const passwordsAreOff = () => until("passwords are refused", async () => !(await byPassword()));
const passwordsAreOn = () => until("passwords are accepted", byPassword);
const settings = () => host.bash("sshd -T");

async function assertPasswordsStay(): Promise<void> {
  const { exitCode, stderr } = await harden();
  assert.match(stderr, /Passwords stay as they are over SSH: no key of a person .* run the setup again\.\s*$/);
  assert.equal(exitCode, 1, "the step is in `attention`");
  assert.match(await settings(), /^permitrootlogin yes\n(.*\n)*passwordauthentication yes$/m);
  await passwordsAreOn();
}

async function assertKeysOnly(account = "root"): Promise<void> {
  const { exitCode, stdout, stderr } = await harden();
  assert.equal(exitCode, 0, stderr);
  assert.match(stdout, new RegExp(`SSH takes keys only; a person's key opens the account ${account}\\.\n$`));
  await passwordsAreOff();
  assert.equal(await byKey(account), true);
}

describe("a machine whose own settings take no passwords", () => {
  // As cloud-init leaves one that Longshore ordered.
  const file = "/etc/ssh/sshd_config.d/50-machine.conf";

  it("needs no key of a person for its setup to succeed", async () => {
    await write(file, "PasswordAuthentication no", "KbdInteractiveAuthentication no");
    const { exitCode, stdout, stderr } = await harden();
    assert.equal(exitCode, 0, stderr);
    assert.match(stdout, /SSH takes keys only, as the machine's own settings have it\.\n$/);
    assert.match(await settings(), /^maxsessions 200$/m);
    await passwordsAreOff();
  });

  it("needs one when it asks for passwords in another way", async () => {
    await write(file, "PasswordAuthentication no", "KbdInteractiveAuthentication yes");
    const { exitCode, stderr } = await harden();
    assert.equal(exitCode, 1);
    assert.match(stderr, /Passwords stay as they are over SSH/);
  });
});

describe("passwords stay when", () => {
  it("the control plane's key is the only one, and all else is hardened", async () => {
    await assertPasswordsStay();
    assert.match(await settings(), /^maxsessions 200$/m);
    assert.equal((await harden()).exitCode, 1);
    await passwordsAreOn();
  });

  it("there is no file of keys", async () => {
    await host.bash(`rm ${rootsKeys}`);
    await assertPasswordsStay();
  });

  const others: Record<string, string> = {
    "is a comment": `# ${key}`,
    "is the control plane's under another name": `${bare(control.publicKey)} ann@example.com`,
    "is the control plane's with options": `no-pty ${control.publicKey}`,
    "is another control plane's": makeKeyPair("longshore").publicKey,
    "is a move's": makeKeyPair("longshore-move-7").publicKey,
    "is bound to a command": `command="echo 'Log in as \\"ann\\": ssh-ed25519 '" ${key}`,
    "is restricted": `restrict ${key}`,
    "opens from one address only": `from="203.0.113.9" ${key}`,
    "has expired": `expiry-time="20200101" ${key}`,
    "will expire": `no-port-forwarding,expiry-time="20990101" ${key}`,
    "signs other keys": `cert-authority ${key}`,
    "is cut off": key.slice(0, 50),
    "is of a type that sshd does not take": `ssh-dss ${key.split(" ")[1]} ann@example.com`,
  };
  for (const [what, line] of Object.entries(others)) {
    it(`the key beside it ${what}`, async () => {
      await write(rootsKeys, "", line, control.publicKey);
      await assertPasswordsStay();
    });
  }

  it("sshd reads keys elsewhere", async () => {
    await write(rootsKeys, control.publicKey, key);
    await write("/etc/ssh/keys/root", control.publicKey);
    await write("/etc/ssh/sshd_config.d/60-owner.conf", "AuthorizedKeysFile /etc/ssh/keys/%u");
    await assertPasswordsStay();
    assert.equal(await byKey(), false);
  });

  it("sshd does not accept the key's algorithm", async () => {
    await write(rootsKeys, control.publicKey, key);
    await write("/etc/ssh/sshd_config.d/60-owner.conf", "PubkeyAcceptedAlgorithms rsa-sha2-512,rsa-sha2-256");
    await assertPasswordsStay();
  });

  it("sshd lets root in from some addresses only", async () => {
    await write(rootsKeys, control.publicKey, key);
    await write("/etc/ssh/sshd_config.d/60-owner.conf", "AllowUsers root@10.*");
    await assertPasswordsStay();
  });

  const unusable: Record<string, string> = {
    "is not in group sudo": "true",
    "has no password for sudo": "gpasswd --add ann sudo; passwd --lock ann",
    "is one that sshd does not let in":
      "gpasswd --add ann sudo; echo DenyUsers ann > /etc/ssh/sshd_config.d/60-owner.conf",
    "has a home that others can write": "gpasswd --add ann sudo; chmod 777 /home/ann",
    "gets no shell":
      "gpasswd --add ann sudo; printf 'Match User ann\nForceCommand internal-sftp\n' > /etc/ssh/sshd_config.d/60-owner.conf",
  };
  for (const [what, script] of Object.entries(unusable)) {
    it(`the account with a key ${what}`, async () => {
      await write("/home/ann/.ssh/authorized_keys", key);
      await host.bash(script);
      await assertPasswordsStay();
    });
  }
});

describe("passwords are switched off when a person's key", () => {
  const opening: Record<string, string[]> = {
    "is one of root's": [key],
    "stands between comments and blank lines": ["# the office", "", `\t${key} (laptop)`, "  ", "# the end"],
    "has options that leave a shell": [`no-port-forwarding,no-X11-forwarding,no-agent-forwarding ${key}`],
    "follows others that open nothing": [`command="/bin/false" ${makeKeyPair("backup").publicKey}`, bare(key)],
  };
  for (const [what, lines] of Object.entries(opening)) {
    it(what, async () => {
      await write(rootsKeys, control.publicKey, ...lines);
      await assertKeysOnly();
    });
  }

  it("lies where sshd reads it", async () => {
    await write("/etc/ssh/keys/root", control.publicKey, key);
    await write("/etc/ssh/sshd_config.d/60-owner.conf", "AuthorizedKeysFile .ssh/none /etc/ssh/keys/%u");
    await assertKeysOnly();
  });

  it("lies in root's second file", async () => {
    await write("/root/.ssh/authorized_keys2", key);
    await assertKeysOnly();
  });

  it("opens an account in group sudo", async () => {
    await write("/home/ann/.ssh/authorized_keys", key);
    await host.bash("gpasswd --add ann sudo");
    await assertKeysOnly("ann");
  });

  it("opens an account that sshd lets in by its name", async () => {
    await write("/home/ann/.ssh/authorized_keys", key);
    await host.bash("gpasswd --add ann sudo");
    await write("/etc/ssh/sshd_config.d/60-owner.conf", "AllowUsers root ann");
    await assertKeysOnly("ann");
  });

  it("opens an account that becomes root without a password", async () => {
    await write("/home/ann/.ssh/authorized_keys", key);
    await host.bash("passwd --lock ann; echo 'ann ALL=(ALL) NOPASSWD:ALL' > /etc/sudoers.d/ann");
    await assertKeysOnly("ann");
  });
});

describe("passwords come back", () => {
  const setUp = async () => {
    await write(rootsKeys, control.publicKey, key);
    await assertKeysOnly();
  };

  it("when the setup runs again and the person's key is gone", async () => {
    await setUp();
    await write(rootsKeys, control.publicKey);
    await assertPasswordsStay();
  });

  it("when the server is deleted, also one whose only key is the control plane's", async () => {
    await setUp();
    await write(rootsKeys, control.publicKey);
    const { exitCode, stderr } = await leave();
    assert.equal(exitCode, 0, stderr);
    await passwordsAreOn();
    assert.equal(await host.bash(`cat ${rootsKeys}`), "");
    assert.equal(await host.bash("ls /etc/ssh/sshd_config.d"), "50-machine.conf");
  });

  it("when the deletion was interrupted before sshd had read its settings", async () => {
    await setUp();
    const interrupted = restoreSshd.script.replace("mkdir -p /run/sshd", "exit 1");
    assert.equal((await run({ script: interrupted })).exitCode, 1);
    assert.equal((await leave()).exitCode, 0);
    await passwordsAreOn();
    assert.equal(await host.bash("ls /etc/ssh/sshd_config.d"), "50-machine.conf");
  });

  it("before the control plane's key goes: it stays while sshd cannot be put back", async () => {
    await setUp();
    await write("/etc/ssh/sshd_config.d/60-owner.conf", "NoSuchSetting yes");
    for (let times = 0; times < 2; times++) {
      assert.notEqual((await leave()).exitCode, 0);
      assert.equal(await host.bash(`cat ${rootsKeys}`), `${control.publicKey}\n${key}`);
    }
    await host.bash("rm /etc/ssh/sshd_config.d/60-owner.conf");
    assert.equal((await leave()).exitCode, 0);
    await passwordsAreOn();
    assert.equal(await host.bash(`cat ${rootsKeys}`), key);
  });
});

it("leaves a server whose sshd was never changed as it was, without the key", async () => {
  const before = await settings();
  assert.equal((await leave()).exitCode, 0);
  assert.equal(await settings(), before);
  assert.equal(await host.bash(`cat ${rootsKeys}`), "");
});
