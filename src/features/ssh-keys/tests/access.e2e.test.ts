import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import { promisify } from "node:util";
import { execOn } from "../../../../sandbox/sandbox.ts";
import { withPrelude } from "../../../host/runner/prelude.ts";
import { connect } from "../../../host/ssh/connect.ts";
import { makeKeyPair } from "../../../host/ssh/key-pair.ts";
import { hardenSshd, sshdFile } from "../../../host/ssh/sshd.ts";
import { type Booted, boot } from "../../../host/tests/booted.ts";
import { leaveServer } from "../../servers/access.ts";
import { sshKeysPlan } from "../plans.ts";
import type { KeyOnServer } from "../queries.ts";
import { parsePublicKey } from "../validation.ts";

// Who can sign in at a real sshd with the keys that Longshore puts there.

const run = promisify(execFile);
const control = makeKeyPair("longshore");
const rootsKeys = "/root/.ssh/authorized_keys";

let host: Booted;
let directory: string;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "longshore-ssh-keys-"));
  host = await boot("ssh-keys");
});

after(async () => {
  await host?.down();
  await rm(directory, { recursive: true, force: true });
});

beforeEach(async () => {
  await host.bash(`
    printf 'PasswordAuthentication yes\nPermitRootLogin yes\n' > /etc/ssh/sshd_config.d/50-machine.conf
    rm -f ${sshdFile} /etc/ssh/sshd_config.d/40-owner.conf /root/pwned
    echo '${control.publicKey}' > ${rootsKeys}
    chmod 600 ${rootsKeys}
    systemctl reset-failed ssh
    systemctl restart ssh`);
});

interface Person {
  file: string;
  /** The stored form of the pasted key. */
  key: KeyOnServer;
}

let people = 0;

/** A person with a key made by OpenSSH, pasted with this comment. */
async function person({ type = ["ed25519"], comment = "ann@laptop" } = {}): Promise<Person> {
  const id = ++people;
  const file = join(directory, String(id));
  await run("ssh-keygen", ["-q", "-N", "", "-f", file, "-t", ...type]);
  const [algorithm, key] = (await readFile(`${file}.pub`, "utf8")).split(" ");
  const parsed = parsePublicKey(`${algorithm} ${key} ${comment}`);
  if (typeof parsed === "string") throw new Error(parsed);
  return { file, key: { id, public_key: parsed.line } };
}

async function put(...keys: Person[]) {
  const [step] = sshKeysPlan(keys.map(({ key }) => key)).steps;
  return execOn(host.server.name, ["bash", "-euo", "pipefail", "-c", step?.script ?? "exit 1"]);
}

async function assertPut(...keys: Person[]): Promise<void> {
  const { exitCode, stderr } = await put(...keys);
  assert.equal(exitCode, 0, stderr);
}

/** The output of a command over ssh; undefined if sshd rejects the key. */
async function ssh({ file }: Person, command: string): Promise<string | undefined> {
  const options = ["BatchMode=yes", "IdentitiesOnly=yes", "StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null"];
  const { host: address, port } = host.address;
  const args = [...options.flatMap((option) => ["-o", option]), "-i", file, "-p", String(port), `root@${address}`];
  try {
    return (await run("ssh", [...args, "--", command])).stdout.trim();
  } catch (error) {
    const { stderr } = error as { stderr: string };
    assert.match(stderr, /Permission denied/);
    return undefined;
  }
}

const opensRoot = async (who: Person): Promise<boolean> => (await ssh(who, "id -un")) === "root";

describe("a person's key", () => {
  for (const type of [["ed25519"], ["ecdsa", "-b", "521"], ["rsa", "-b", "3072"]]) {
    it(`of type ${type[0]} opens root's account until it is taken away`, async () => {
      const ann = await person({ type });
      assert.equal(await opensRoot(ann), false);
      await assertPut(ann);
      assert.equal(await opensRoot(ann), true);
      await assertPut();
      assert.equal(await opensRoot(ann), false);
      assert.equal(await host.bash(`cat ${rootsKeys}`), control.publicKey);
    });
  }

  it("is taken away alone", async () => {
    const [ann, ben, owner] = [await person(), await person(), await person()];
    await host.bash(`printf %s '${owner.key.public_key} owner' >> ${rootsKeys}`);
    await assertPut(ann, ben);
    assert.deepEqual([await opensRoot(ann), await opensRoot(ben), await opensRoot(owner)], [true, true, true]);
    await assertPut(ben);
    assert.deepEqual([await opensRoot(ann), await opensRoot(ben), await opensRoot(owner)], [false, true, true]);
    const connection = await connect({ ...host.address, privateKey: control.privateKey }, 20_000);
    connection.close();
  });

  it("brings no option along in its comment", async () => {
    const hostile = [
      'command="touch /root/pwned" ssh-ed25519 AAAA',
      '",command="touch /root/pwned"',
      "$(touch /root/pwned) `touch /root/pwned` ; touch /root/pwned",
      "longshore\\ncommand=\\x22touch /root/pwned\\x22",
      "' || touch /root/pwned '",
    ];
    for (const comment of hostile) {
      const ann = await person({ comment });
      await assertPut(ann);
      assert.equal(await ssh(ann, "echo a shell"), "a shell", comment);
      assert.equal(await host.bash(`tail -n 1 ${rootsKeys}`), `${ann.key.public_key} longshore-ssh-key-${ann.key.id}`);
      assert.equal(await host.bash(`wc -l < ${rootsKeys}`), "2");
    }
    assert.equal(await host.bash("ls /root/pwned 2> /dev/null || echo none"), "none");
  });

  it("counts as a way in when the setup decides about passwords", async () => {
    const harden = () =>
      execOn(host.server.name, [
        "bash",
        "-euo",
        "pipefail",
        "-c",
        withPrelude("?", hardenSshd(control.publicKey)).script,
      ]);
    assert.equal((await harden()).exitCode, 1);
    const ann = await person();
    await assertPut(ann);
    const { exitCode, stdout, stderr } = await harden();
    assert.equal(exitCode, 0, stderr);
    assert.match(stdout, /a person's key opens the account root/);
    assert.equal(await opensRoot(ann), true);
  });

  it("that sshd would not read is a failure", async () => {
    await host.bash("echo 'AuthorizedKeysFile /etc/ssh/keys/%u' > /etc/ssh/sshd_config.d/40-owner.conf");
    const { exitCode, stderr } = await put(await person());
    assert.notEqual(exitCode, 0);
    assert.match(stderr, /sshd does not read \/root\/\.ssh\/authorized_keys/);
    await assertPut();
  });
});

it("a server that is deleted keeps neither Longshore's key nor those that it put there", async () => {
  const [ann, owner] = [await person(), await person()];
  await host.bash(`echo '${owner.key.public_key} owner' >> ${rootsKeys}`);
  await assertPut(ann);
  const connection = await connect({ ...host.address, privateKey: control.privateKey }, 20_000);
  const { exitCode, stderr } = await connection.exec(leaveServer(control.publicKey)).finally(() => connection.close());
  assert.equal(exitCode, 0, stderr);
  assert.equal(await host.bash(`cat ${rootsKeys}`), `${owner.key.public_key} owner`);
  assert.deepEqual([await opensRoot(ann), await opensRoot(owner)], [false, true]);
});
