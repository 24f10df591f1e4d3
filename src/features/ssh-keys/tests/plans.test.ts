import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, describe, it } from "node:test";
import { scriptsOf, shellcheck } from "../../../../test/shellcheck.ts";
import { lines, sh } from "../../../host/sh.ts";
import { sshKeysPlan, writeKeys } from "../plans.ts";
import type { KeyOnServer } from "../queries.ts";

const root = mkdtempSync(join(tmpdir(), "longshore-ssh-keys-"));
after(() => rmSync(root, { recursive: true }));

let directory: string;
let file: string;
let homes = 0;

beforeEach(() => {
  directory = join(root, String(homes++));
  file = join(directory, "authorized_keys");
  mkdirSync(directory, { mode: 0o700 });
});

const ann = { id: 3, public_key: "ssh-ed25519 AAAAann" };
const ben = { id: 12, public_key: "ssh-ed25519 AAAAben" };
const anns = "ssh-ed25519 AAAAann longshore-ssh-key-3";
const bens = "ssh-ed25519 AAAAben longshore-ssh-key-12";

const write = (...keys: KeyOnServer[]) => run("", ...keys);
const run = (before: string, ...keys: KeyOnServer[]) => {
  const { script } = lines(sh`set -e`, writeKeys(keys, directory));
  return spawnSync("bash", ["-c", `${before}\n${script}`], { encoding: "utf8" });
};
const assertWritten = ({ status, stderr }: ReturnType<typeof run>) => assert.equal(status, 0, stderr);
const read = (): string => readFileSync(file, "latin1");

describe("keys on a server", () => {
  it("are added, replaced and removed, and again without harm", () => {
    for (let times = 0; times < 2; times++) {
      assertWritten(write(ann, ben));
      assert.equal(read(), `${anns}\n${bens}\n`);
      assert.equal(statSync(file).mode & 0o777, 0o600);
    }
    assertWritten(write(ben));
    assert.equal(read(), `${bens}\n`);
    assertWritten(write());
    assert.equal(read(), "");
    assert.deepEqual(readdirSync(directory), ["authorized_keys"]);
  });

  it("leave what people wrote as it is, whatever that is", () => {
    const theirs = [
      "ssh-ed25519 AAAAcontrol longshore",
      "# the office, see longshore-ssh-key-3 below",
      "",
      'restrict,command="/usr/lib/longshore/move-7" ssh-ed25519 AAAAmove longshore-move-7',
      ' \tno-pty,environment="A=\'b\\"" ssh-ed25519 AAAAann ann@example.com',
      "ssh-ed25519 AAAAann longshore-ssh-key-3-of-my-own",
      "ssh-ed25519 AAAAann longshore-ssh-key-",
      "ssh-ed25519 AAAA\xff\xfe\x00 zero",
      "$(touch /tmp/pwned) `id` \\",
    ];
    writeFileSync(file, `${theirs.join("\n")}\n`, "latin1");
    assertWritten(write(ann, ben));
    assert.equal(read(), `${[...theirs, anns, bens].join("\n")}\n`);
    assertWritten(write());
    assert.equal(read(), `${theirs.join("\n")}\n`);
  });

  it("are no part of a last line without an end", () => {
    writeFileSync(file, "ssh-ed25519 AAAAtheirs ann@example.com");
    assertWritten(write(ann));
    assert.equal(read(), `ssh-ed25519 AAAAtheirs ann@example.com\n${anns}\n`);
  });

  it("end when their line was moved or got options", () => {
    writeFileSync(file, `no-pty ${anns}\nssh-ed25519 AAAAtheirs\n${bens}\n`);
    assertWritten(write(ben));
    assert.equal(read(), `ssh-ed25519 AAAAtheirs\n${bens}\n`);
  });

  it("are written where a link leads", () => {
    const elsewhere = join(directory, "keys");
    writeFileSync(elsewhere, "ssh-ed25519 AAAAtheirs\n");
    symlinkSync(elsewhere, file);
    assertWritten(write(ann));
    assert.ok(lstatSync(file).isSymbolicLink());
    assert.equal(readFileSync(elsewhere, "utf8"), `ssh-ed25519 AAAAtheirs\n${anns}\n`);
  });

  it("stay all of them on a full disk", () => {
    writeFileSync(file, `ssh-ed25519 AAAAtheirs\n${anns}\n`);
    chmodSync(file, 0o600);
    for (const keys of [[ben], []]) {
      assert.notEqual(run("trap '' XFSZ; ulimit -f 0", ...keys).status, 0);
      assert.equal(read(), `ssh-ed25519 AAAAtheirs\n${anns}\n`);
    }
  });
});

it("the plan is a script that shellcheck has nothing to say about", () =>
  assert.equal(shellcheck(scriptsOf(sshKeysPlan([ann, ben]))) + shellcheck(scriptsOf(sshKeysPlan([]))), ""));
